(* A certificate's text as the value that the proved check takes, and what it says of the file. Names are read and forgotten: nothing
   is proved about them but that they are distinct. *)

open Text

type format = Onnx | Safetensors
type t = { format : format; sha256 : string; bytes : Z.t; certificate : Checker.certificate }

let z = Z.of_int

let record lines wanted =
  let line = line lines in
  keyword line wanted;
  line

(* `KEYWORDs N`, and then N lines `KEYWORD NUMBER ...`. *)
let list lines kind first most read =
  let head = record lines (kind ^ "s") in
  let n = Z.to_int (number head Z.one (z most)) in
  ends head;
  let rec go i found =
    if i = first + n then List.rev found
    else begin
      let line = record lines kind in
      ignore (number line (z i) (z i));
      let item = read line i in
      ends line;
      go (i + 1) (item :: found)
    end
  in
  go first []

let fresh seen line =
  let name = name line in
  if Hashtbl.mem seen name then wrong line "a second one has this name";
  Hashtbl.add seen name ()

let network lines =
  let line = record lines "network" in
  let format = match word line with "onnx" -> Onnx | "safetensors" -> Safetensors | _ -> wrong line "no format" in
  keyword line "sha256";
  let sha256 = word line in
  let hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  if String.length sha256 <> 64 || not (String.for_all hex sha256) then wrong line "no digest";
  keyword line "bytes";
  let bytes = number line Z.zero most_64 in
  ends line;
  (format, sha256, bytes)

let layer linear line =
  if !linear then wrong line "only the last layer may be linear";
  let width = number line Z.one most_64 in
  (match word line with "relu" -> () | "linear" -> linear := true | _ -> wrong line "neither relu nor linear");
  (width, not !linear)

let ranges line =
  let one last range =
    match String.index_opt range '-' with
    | None -> wrong line "no range"
    | Some at -> (
      let from = decimal (String.sub range 0 at) in
      let upto = decimal (String.sub range (at + 1) (String.length range - at - 1)) in
      match (from, upto) with
      | Some from, Some upto when Z.leq upto exact && Z.leq from upto && Z.gt from (Z.succ last) -> (from, upto)
      | _ -> wrong line "the ranges must ascend and leave gaps")
  in
  let _, found =
    List.fold_left
      (fun (last, found) range ->
        let range = one last range in
        (snd range, range :: found))
      (z (-2), []) (String.split_on_char ',' (word line))
  in
  List.rev found

let kind line : Checker.kind =
  match word line with
  | "relay" -> Relay
  | "nor" -> Nor
  | "fold" -> Fold
  | "and" -> Rule And
  | "or" -> Rule Or
  | "xor" -> Rule Xor
  | "sum" -> Rule Sum
  | "least" -> Rule (Least (number line Z.zero exact))
  | "counts" -> Rule (Counts (ranges line))
  | _ -> wrong line "no rule"

(* `+x3`, `-g7`, `5*+x3`. *)
let literal line inputs gates word : Checker.literal =
  let no () = wrong line (word ^ " is no literal of an input or an earlier gate") in
  let points, rest =
    match String.index_opt word '*' with
    | None -> (Z.one, word)
    | Some at -> (
      match decimal (String.sub word 0 at) with
      | Some p when Z.leq (z 2) p && Z.leq p (z 1000) -> (p, String.sub word (at + 1) (String.length word - at - 1))
      | _ -> no ())
  in
  if String.length rest < 3 then no ();
  let positive = match rest.[0] with '+' -> true | '-' -> false | _ -> no () in
  match (rest.[1], decimal (String.sub rest 2 (String.length rest - 2))) with
  | 'x', Some i when Z.lt i (z inputs) -> { reads = Input i; positive0 = positive; points }
  | 'g', Some g when Z.lt g (z gates) -> { reads = Earlier g; positive0 = positive; points }
  | _ -> no ()

let gate inputs layers line g : Checker.gate =
  let what = kind line in
  let rec literals found = match word line with ":" -> List.rev found | word -> literals (literal line inputs g word :: found) in
  let operands = literals [] in
  let level = number line Z.one (z layers) in
  let base = signed line in
  let rec neurons found : Checker.neuron list =
    if not (more line) then List.rev found
    else begin
      keyword line "|";
      let place = number line Z.zero most_64 in
      let slope = signed line in
      let offset = signed line in
      neurons ({ place; slope; offset; coefficient = signed line } :: found)
    end
  in
  { what; operands; level; base; neurons = neurons [] }

let output seen gates line =
  fresh seen line;
  keyword line "gate";
  let gate = number line Z.zero (z (gates - 1)) in
  keyword line "most";
  (gate, number line Z.zero exact)

let read text =
  let lines = lines text in
  let head = record lines "macchiato-certificate" in
  ignore (number head Z.one Z.one);
  ends head;
  let format, sha256, bytes = network lines in
  let seen = Hashtbl.create 16 and linear = ref false in
  let inputs = List.length (list lines "input" 0 65_535 (fun line _ -> fresh seen line)) in
  let shape = list lines "layer" 1 10_000 (fun line _ -> layer linear line) in
  let claimed = list lines "gate" 0 10_000_000 (gate inputs (List.length shape)) in
  let gates = List.length claimed in
  Hashtbl.reset seen;
  let answered = list lines "output" 0 65_535 (fun line _ -> output seen gates line) in
  while peek lines = "training" do ignore (line lines) done;
  ends (record lines "end");
  finished lines;
  { format; sha256; bytes; certificate = { cube = z inputs; shape; claimed; answered } }
