(* Tensors of the file, the layers that they make, and the numbers that the proved check takes. *)

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

(* The 32 bits of a number; what they are worth is for the proved check to say. *)
let number file at = Z.of_int (Int32.to_int (String.get_int32_le file at) land 0xffffffff)

let file_of file (certificate : Checker.certificate) layers : Checker.file =
  if List.length layers <> List.length certificate.shape then Fault.rejected "the file has another number of layers";
  let numbers from n =
    let rec go i found = if i < 0 then found else go (i - 1) (number file (from + (4 * i)) :: found) in
    go (n - 1) []
  in
  let before = ref (Z.to_int certificate.cube) in
  List.map2
    (fun layer (width, relu) ->
      if layer.inputs <> !before then Fault.rejected "a layer reads another number of values than there are";
      if not (Z.equal width (Z.of_int layer.width)) then Fault.rejected "a layer has another width";
      if layer.relu <> None && layer.relu <> Some relu then Fault.rejected "file and certificate disagree about a ReLU";
      before := layer.width;
      let row i = (numbers (layer.weights + (4 * i * layer.inputs)) layer.inputs, number file (layer.biases + (4 * i))) in
      let rec rows i found = if i < 0 then found else rows (i - 1) (row i :: found) in
      (rows (layer.width - 1) [], relu))
    layers certificate.shape
