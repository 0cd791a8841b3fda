(* safetensors files in the one form that is certified: `0.weight`, `0.bias`, `2.weight`, ... of dtype F32, filling the file without
   overlap or hole. The JSON reader knows just the shape of the header. *)

let no why = Fault.rejected ("network header: " ^ why)
let max_header = 100_000_000

type json = { file : string; mutable at : int; stop : int }

let rec space json =
  if json.at < json.stop && (match json.file.[json.at] with ' ' | '\n' | '\r' | '\t' -> true | _ -> false) then begin
    json.at <- json.at + 1;
    space json
  end

let accept json c =
  space json;
  let found = json.at < json.stop && json.file.[json.at] = c in
  if found then json.at <- json.at + 1;
  found

let expect json c = if not (accept json c) then no (Printf.sprintf "%C is missing" c)

(* A string without its quotes. Escapes are passed over, not decoded. *)
let text json =
  expect json '"';
  let from = json.at in
  let rec go () =
    if json.at >= json.stop then no "a string without end";
    match json.file.[json.at] with
    | '"' ->
      let found = String.sub json.file from (json.at - from) in
      json.at <- json.at + 1;
      if Text.is_utf8 found then found else no "a string that is no UTF-8"
    | '\\' -> json.at <- json.at + 2; go ()
    | c when c < ' ' -> no "a control character within a string"
    | _ -> json.at <- json.at + 1; go ()
  in
  go ()

(* `{"key": value, ...}`, each key once. *)
let entries json value =
  let seen = Hashtbl.create 16 in
  expect json '{';
  let rec go () =
    let key = text json in
    if Hashtbl.mem seen key then no "a key comes a second time";
    Hashtbl.add seen key ();
    expect json ':';
    value key;
    if accept json ',' then go () else expect json '}'
  in
  if not (accept json '}') then go ()

(* `[1, 2]`: at most two numbers. *)
let numbers json =
  expect json '[';
  let rec go found =
    space json;
    let from = json.at in
    while json.at < json.stop && json.file.[json.at] >= '0' && json.file.[json.at] <= '9' do json.at <- json.at + 1 done;
    match Text.decimal (String.sub json.file from (json.at - from)) with
    | None -> no "no whole number"
    | Some number ->
      (* What does not fit is larger than any file. *)
      let found = (if Z.fits_int number then Z.to_int number else max_int) :: found in
      if List.length found > 2 then no "more than two numbers";
      if accept json ',' then go found
      else begin
        expect json ']';
        List.rev found
      end
  in
  go []

let tensor json =
  let float = ref false and shape = ref None and offsets = ref None in
  entries json (function
    | "dtype" -> float := text json = "F32"
    | "shape" -> shape := Some (numbers json)
    | "data_offsets" -> offsets := Some (numbers json)
    | _ -> no "a tensor has no such key");
  match (!float, !shape, !offsets) with
  | true, Some shape, Some [ from; upto ] -> (shape, from, upto)
  | _ -> no "a tensor needs dtype F32, a shape and two data_offsets"

let read file =
  let size = String.length file in
  if size < 8 then no "the file is too short";
  let length = String.get_int64_le file 0 in
  if Int64.compare length 0L < 0 || Int64.compare length (Int64.of_int (min max_header (size - 8))) > 0 then no "its length";
  let data = 8 + Int64.to_int length in
  let json = { file; at = 8; stop = data } in
  if data = 8 || file.[8] <> '{' then no "it must begin with a brace";
  let found = ref [] in
  entries json (fun key ->
      if key = "__metadata__" then entries json (fun _ -> ignore (text json))
      else
        let shape, from, upto = tensor json in
        found := (key, shape, from, upto) :: !found);
  space json;
  if json.at <> json.stop then no "there is text after its object";
  let tensors = Hashtbl.create 16 in
  let ends =
    List.fold_left
      (fun reached (key, dims, from, upto) ->
        if from <> reached || upto < from || upto > size - data then no "a tensor leaves a hole, overlaps or leaves the file";
        Hashtbl.add tensors key { Layers.dims; from = data + from; bytes = upto - from };
        upto)
      0
      (List.stable_sort (fun (_, _, a, b) (_, _, c, d) -> compare (a, b) (c, d)) (List.rev !found))
  in
  if data + ends <> size then no "bytes of the file belong to no tensor";
  let rec layers l built =
    if Hashtbl.length tensors = 0 then List.rev built
    else
      let take part =
        let name = Printf.sprintf "%d.%s" (2 * l) part in
        match Hashtbl.find_opt tensors name with
        | Some tensor -> Hashtbl.remove tensors name; tensor
        | None -> no (name ^ " is missing, or a tensor has another name")
      in
      let weights = take "weight" in
      let biases = take "bias" in
      layers (l + 1) (Layers.layer file weights biases :: built)
  in
  layers 0 []
