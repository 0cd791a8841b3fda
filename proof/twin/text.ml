(* Lines and fields of a certificate: fields are separated by exactly one space, lines end with exactly one line feed, numbers
   have one spelling (docs/certificate.md). *)

let exact = Z.shift_left Z.one 24
let max_text = 256 lsl 20
let max_line = 16 lsl 20
let max_name = 1024

type lines = { text : string; mutable at : int; mutable number : int }
type line = { of_text : string; mutable here : int; first : int; stop : int; line : int }

let wrong line why = Fault.unreadable line.line why

(* UTF-8 as the standard has it: no overlong forms, no surrogates, nothing past U+10FFFF. *)
let is_utf8 text =
  let n = String.length text in
  let byte i = if i < n then Char.code (String.unsafe_get text i) else 0 in
  let tail i = byte i land 0xc0 = 0x80 in
  let rec from i =
    i >= n
    ||
    let b = byte i in
    if b < 0x80 then from (i + 1)
    else if b >= 0xc2 && b <= 0xdf then tail (i + 1) && from (i + 2)
    else if b land 0xf0 = 0xe0 then
      let c = byte (i + 1) in
      tail (i + 1) && tail (i + 2) && (b <> 0xe0 || c >= 0xa0) && (b <> 0xed || c < 0xa0) && from (i + 3)
    else if b >= 0xf0 && b <= 0xf4 then
      let c = byte (i + 1) in
      tail (i + 1) && tail (i + 2) && tail (i + 3) && (b <> 0xf0 || c >= 0x90) && (b <> 0xf4 || c < 0x90) && from (i + 4)
    else false
  in
  from 0

let lines text =
  if String.length text > max_text then Fault.unreadable 1 "the file is too long";
  if not (is_utf8 text) then Fault.unreadable 1 "the file is no UTF-8";
  { text; at = 0; number = 0 }

let line lines =
  lines.number <- lines.number + 1;
  match String.index_from_opt lines.text lines.at '\n' with
  | None -> Fault.unreadable lines.number "the file ends before its line `end`"
  | Some stop ->
    let first = lines.at in
    if stop - first > max_line then Fault.unreadable lines.number "the line is longer than 16 MiB";
    lines.at <- stop + 1;
    { of_text = lines.text; here = first; first; stop; line = lines.number }

(* The first field of the next line. *)
let peek lines =
  let n = String.length lines.text in
  let rec stop i = if i >= n || lines.text.[i] = ' ' || lines.text.[i] = '\n' then i else stop (i + 1) in
  String.sub lines.text lines.at (stop lines.at - lines.at)

let finished lines = if lines.at < String.length lines.text then Fault.unreadable (lines.number + 1) "there is text after the line `end`"
let more line = line.here < line.stop
let ends line = if more line then wrong line "the record has ended, the line has not"

(* Steps over the space before a field. *)
let begins line =
  if line.here > line.first then
    if line.here >= line.stop || line.of_text.[line.here] <> ' ' then wrong line "a field is missing"
    else line.here <- line.here + 1

let word line =
  begins line;
  let rec stop i = if i >= line.stop || line.of_text.[i] = ' ' then i else stop (i + 1) in
  let from = line.here in
  line.here <- stop from;
  if line.here = from then wrong line "a field is empty";
  String.sub line.of_text from (line.here - from)

let keyword line wanted = if word line <> wanted then wrong line (wanted ^ " is missing")

let most_64 = Z.of_string "18446744073709551615"

(* A number without sign or leading zeros, of at most 64 bits. *)
let decimal word =
  let n = String.length word in
  let digits = n > 0 && n <= 20 && String.for_all (fun c -> c >= '0' && c <= '9') word in
  if not (digits && (n = 1 || word.[0] <> '0')) then None
  else
    let z = Z.of_string word in
    if Z.leq z most_64 then Some z else None

let number line least most =
  match decimal (word line) with
  | Some z when Z.leq least z && Z.leq z most -> z
  | _ -> wrong line "a number is missing or out of range"

(* A whole number, maybe negative, of less than 2^24 in size. *)
let signed line =
  let word = word line in
  let negative = word.[0] = '-' in
  let digits = if negative then String.sub word 1 (String.length word - 1) else word in
  match decimal digits with
  | Some z when Z.lt z exact && not (negative && Z.equal z Z.zero) -> if negative then Z.neg z else z
  | _ -> wrong line "a whole number below 2^24 is missing"

(* A JSON string whose only escapes are those that it needs. *)
let name line =
  begins line;
  let text = line.of_text and name = Buffer.create 16 in
  let next () =
    if line.here >= line.stop then wrong line "the string has no closing quote";
    line.here <- line.here + 1;
    text.[line.here - 1]
  in
  let hex () =
    match next () with
    | '0' .. '9' as c -> Char.code c - 48
    | 'a' .. 'f' as c -> Char.code c - 87
    | 'A' .. 'F' as c -> Char.code c - 55
    | _ -> wrong line "no escape of a JSON string"
  in
  if line.here >= line.stop || next () <> '"' then wrong line "a name must be a JSON string";
  let rec go () =
    (match next () with
    | '"' -> raise_notrace Exit
    | '\\' -> (
      match next () with
      | ('"' | '\\') as c -> Buffer.add_char name c
      | 'b' -> Buffer.add_char name '\b'
      | 'f' -> Buffer.add_char name '\012'
      | 'n' -> Buffer.add_char name '\n'
      | 'r' -> Buffer.add_char name '\r'
      | 't' -> Buffer.add_char name '\t'
      | 'u' ->
        let a = hex () in
        let b = hex () in
        let c = hex () in
        let code = (((((a * 16) + b) * 16) + c) * 16) + hex () in
        if not (Uchar.is_valid code) then wrong line "no escape of a JSON string";
        Buffer.add_utf_8_uchar name (Uchar.of_int code)
      | _ -> wrong line "no escape of a JSON string")
    | c when c < ' ' -> wrong line "a control character must be escaped"
    | c -> Buffer.add_char name c);
    go ()
  in
  (try go () with Exit -> ());
  if Buffer.length name > max_name then wrong line "the name is too long";
  Buffer.contents name
