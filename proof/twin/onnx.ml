(* ONNX files in the one form that is certified: Gemm, Relu, Gemm, Relu, ... in a chain. Fields that are not known here are refused, and so
   is what comes twice. The field numbers are those of onnx.proto. *)

type message = { from : int; stop : int }
type value = Number of int (* at most max_int, which is more than anything that is compared with it *) | Four of int | Bytes of message
type field = { number : int; value : value }

let no why = Fault.rejected ("network: " ^ why)

(* Seven bits a byte, least significant first, of at most 64 bits. *)
let varint file at stop =
  let rec go shift value =
    if !at >= stop then no "the message ends within a number";
    let byte = Char.code file.[!at] in
    let bits = byte land 0x7f in
    if shift = 63 && bits > 1 then no "a number of more than 64 bits";
    incr at;
    (* Numbers here have 62 bits. *)
    let large = if shift = 63 then bits > 0 else shift = 56 && bits > 63 in
    let value = if large then max_int else if shift = 63 then value else value lor (bits lsl shift) in
    if byte land 0x80 = 0 then value else if shift = 63 then no "a number of more than 64 bits" else go (shift + 7) value
  in
  go 0 0

let fields file { from; stop } =
  let at = ref from in
  let rec go found =
    if !at >= stop then List.rev found
    else begin
      let tag = varint file at stop in
      let number = tag lsr 3 in
      if number = 0 || tag > 0xffffffff then no "no field of a Protocol Buffers message";
      let take n =
        if n > stop - !at then no "a length that leaves the message";
        let from = !at in
        at := from + n;
        { from; stop = from + n }
      in
      let value =
        match tag land 7 with
        | 0 -> Number (varint file at stop)
        | 2 ->
          let n = varint file at stop in
          Bytes (take n)
        | 5 -> Four (take 4).from
        | _ -> no "a wire type that no part of a network has"
      in
      go ({ number; value } :: found)
    end
  in
  go []

let int field = match field.value with Number n -> n | _ -> no "a number is missing"
let message field = match field.value with Bytes m -> m | _ -> no "bytes are missing"
let text file field = match field.value with Bytes m -> String.sub file m.from (m.stop - m.from) | _ -> no "bytes are missing"

(* The fields [wanted], each at most once; those of [ignored] are passed over. *)
let pick file m wanted ignored =
  let found = fields file m in
  List.iter (fun f -> if not (List.mem f.number wanted || List.mem f.number ignored) then no "an unknown field") found;
  List.map
    (fun number ->
      match List.filter (fun f -> f.number = number) found with
      | [] -> None
      | [ one ] -> Some one
      | _ -> no "a field comes a second time")
    wanted

let standard_domain domain = if not (List.mem domain [ ""; "ai.onnx" ]) then no "operators of another domain"

type node = { inputs : string list; outputs : string list; operator : string; attributes : message list }

let node file m =
  List.fold_left
    (fun node f ->
      match f.number with
      | 1 -> { node with inputs = node.inputs @ [ text file f ] }
      | 2 -> { node with outputs = node.outputs @ [ text file f ] }
      | 4 when node.operator = "" -> { node with operator = text file f }
      | 5 -> { node with attributes = node.attributes @ [ message f ] }
      | 7 -> standard_domain (text file f); node
      | 3 | 6 | 9 -> node
      | _ -> no "an unknown field of a node")
    { inputs = []; outputs = []; operator = ""; attributes = [] }
    (fields file m)

(* `transB` = 1, and `alpha` and `beta`, where they are given, 1. *)
let gemm file attributes =
  let names =
    List.map
      (fun m ->
        match pick file m [ 1; 2; 3; 20 ] [ 13 ] with
        | [ name; float; whole; kind ] ->
          let name = Option.fold ~none:"" ~some:(text file) name and kind = Option.fold ~none:0 ~some:int kind in
          let one f = match f.value with Four at -> String.get_int32_le file at = 0x3f800000l | _ -> no "a float is missing" in
          let known =
            match (name, kind, float, whole) with
            | ("alpha" | "beta"), 1, Some f, None -> one f
            | "transB", 2, None, Some f -> int f = 1
            | _ -> false
          in
          if not known then no "an attribute is none of transB = 1, alpha = 1, beta = 1";
          name
        | _ -> assert false)
      attributes
  in
  if List.length (List.sort_uniq compare names) <> List.length names then no "an attribute comes a second time";
  if not (List.mem "transB" names) then no "Gemm needs transB = 1"

(* An initializer: float32, its bytes in the file itself. *)
let tensor file m =
  let name = ref None and float = ref None and bytes = ref None and dims = ref [] in
  List.iter
    (fun f ->
      match f.number with
      | 1 -> (
        match f.value with
        | Bytes m ->
          let at = ref m.from in
          while !at < m.stop do dims := varint file at m.stop :: !dims done
        | _ -> dims := int f :: !dims)
      | 2 when !float = None -> float := Some (int f = 1)
      | (4 | 9) when !bytes = None -> bytes := Some (message f)
      | 8 when !name = None -> name := Some (text file f)
      | 14 when int f = 0 -> ()
      | 12 | 16 -> ()
      | _ -> no "an unknown field of a tensor")
    (fields file m);
  match (!name, !float, !bytes) with
  | Some name, Some true, Some m when List.length !dims <= 2 ->
    (name, { Layers.dims = List.rev !dims; from = m.from; bytes = m.stop - m.from })
  | _ -> no "an initializer needs a name, type float32, one or two dimensions and its bytes"

(* The name and the second dimension of a float32 value of shape [N, columns]. *)
let value_info file m =
  let inner = function Some f -> message f | None -> { from = 0; stop = 0 } in
  match pick file m [ 1; 2 ] [ 3; 4 ] with
  | [ name; kind ] -> (
    let name = Option.fold ~none:"" ~some:(text file) name in
    match pick file (inner (List.hd (pick file (inner kind) [ 1 ] [ 6 ]))) [ 1; 2 ] [] with
    | [ element; shape ] -> (
      let dimension f = if f.number <> 1 then no "an unknown field of a shape" else pick file (message f) [ 1; 2 ] [ 3 ] in
      let dimensions = List.map dimension (fields file (inner shape)) in
      let float = match element with Some { value = Number 1; _ } -> true | _ -> false in
      match dimensions with
      | [ [ None; _ ]; [ Some columns; None ] ] when float -> (name, int columns)
      | _ -> no "input and output must be float32 of shape [N, number]")
    | _ -> assert false)
  | _ -> assert false

let chain file nodes tensors (input, columns) (output, results) inputs outputs =
  if columns <> inputs then no "the input has another number of columns";
  if results <> outputs then no "the output has another number of columns";
  (* Each name is given once, or a runtime might see another graph than we do. *)
  let given = Hashtbl.create 16 in
  let give name = if Hashtbl.mem given name then no "a name is given twice" else Hashtbl.add given name () in
  Hashtbl.iter (fun name _ -> give name) tensors;
  give input;
  let take name =
    match Hashtbl.find_opt tensors name with
    | Some tensor -> Hashtbl.remove tensors name; tensor
    | None -> no "weights or biases are no initializers, or are used twice"
  in
  let current = ref input and layers = ref [] in
  List.iter
    (fun node ->
      let awaits = match !layers with { Layers.relu = Some false; _ } :: _ -> true | _ -> false in
      (match (node.operator, node.inputs, !layers) with
      | "Gemm", [ data; weights; biases ], _ when data = !current && not awaits ->
        gemm file node.attributes;
        let weights = take weights in
        let biases = take biases in
        layers := { (Layers.layer file weights biases) with relu = Some false } :: !layers
      | "Relu", [ data ], last :: before when data = !current && awaits && node.attributes = [] ->
        layers := { last with Layers.relu = Some true } :: before
      | _ -> no "the nodes are not Gemm, Relu, Gemm, Relu, ... in a chain");
      match node.outputs with
      | [ name ] when name <> "" -> give name; current := name
      | _ -> no "a node must give one value, under a name of its own")
    nodes;
  if !layers = [] || !current <> output then no "the output is not what the last node gives";
  if Hashtbl.length tensors > 0 then no "initializers that are not used";
  List.rev !layers

let read file inputs outputs =
  match pick file { from = 0; stop = String.length file } [ 1; 7; 8 ] [ 2; 3; 4; 5; 6; 14 ] with
  | [ Some ir; Some graph; Some opset ] ->
    if int ir < 4 || int ir > 13 then no "the model's ir_version is not known";
    (match pick file (message opset) [ 1; 2 ] [] with
    | [ domain; version ] ->
      standard_domain (Option.fold ~none:"" ~some:(text file) domain);
      let version = Option.fold ~none:0 ~some:int version in
      if version < 7 || version > 26 then no "the version of the operator set is not known"
    | _ -> assert false);
    let nodes = ref [] and tensors = Hashtbl.create 16 and input = ref None and output = ref None in
    List.iter
      (fun f ->
        match f.number with
        | 1 -> nodes := node file (message f) :: !nodes
        | 5 ->
          let name, tensor = tensor file (message f) in
          if Hashtbl.mem tensors name then no "two initializers of one name";
          Hashtbl.add tensors name tensor
        | 11 when !input = None -> input := Some (value_info file (message f))
        | 12 when !output = None -> output := Some (value_info file (message f))
        | 2 | 10 | 16 -> ()
        | _ -> no "an unknown field of the graph")
      (fields file (message graph));
    (match (!input, !output) with
    | Some input, Some output -> chain file (List.rev !nodes) tensors input output inputs outputs
    | _ -> no "the graph needs one input and one output")
  | _ -> no "the model lacks its ir_version, its graph or its operator set"
