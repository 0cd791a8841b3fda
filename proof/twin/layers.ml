(* Tensors of the file, the layers that they make, and the network that the proved check takes. *)

type tensor = { dims : int list; from : int; bytes : int }
type layer = { width : int; inputs : int; weights : int; biases : int; relu : bool option }

(* Products that do not overflow: no dimension is larger than the file. *)
let layer file weights biases =
  let no () = Fault.rejected "the shapes of a layer do not fit together or its bytes" in
  match (weights.dims, biases.dims) with
  | [ width; inputs ], [ b ] ->
    let size = String.length file in
    if b <> width || width <= 0 || inputs <= 0 || width > size || inputs > size then no ();
    if weights.bytes / 4 / width <> inputs || weights.bytes <> 4 * width * inputs || biases.bytes <> 4 * width then no ();
    { width; inputs; weights = weights.from; biases = biases.from; relu = None }
  | _ -> no ()

(* Only whole numbers below 2^24 can be what a certificate asks for; zeros may be negative. *)
let number file at =
  let bits = String.get_int32_le file at in
  if bits = 0l then Z.zero
  else
    let f = Int32.float_of_bits bits in
    if Float.is_integer f && Float.abs f < 16777216. then Z.of_int (int_of_float f)
    else Fault.rejected (Printf.sprintf "a number of the file is %h, which is not whole or not below 2^24" f)

let network file (certificate : Checker.certificate) layers : Checker.network =
  if List.length layers <> List.length certificate.shape then Fault.rejected "the file has another number of layers";
  let numbers from n =
    let rec go i found = if i < 0 then found else go (i - 1) (number file (from + (4 * i)) :: found) in
    go (n - 1) []
  in
  let before = ref (Z.to_int certificate.cube) in
  List.map2
    (fun layer (width, relu) : Checker.layer ->
      if layer.inputs <> !before then Fault.rejected "a layer reads another number of values than there are";
      if not (Z.equal width (Z.of_int layer.width)) then Fault.rejected "a layer has another width";
      if layer.relu <> None && layer.relu <> Some relu then Fault.rejected "file and certificate disagree about a ReLU";
      before := layer.width;
      let row i = (numbers (layer.weights + (4 * i * layer.inputs)) layer.inputs, number file (layer.biases + (4 * i))) in
      let rec rows i found = if i < 0 then found else rows (i - 1) (row i :: found) in
      { rows = rows (layer.width - 1) []; rectified = relu })
    layers certificate.shape
