(* `macchiato-twin NETWORK CERTIFICATE`: the verdict of the proved check, with the exit codes of macchiato-check: 0 accepted, 1 rejected,
   2 unreadable. With `--paper` before them: whether the network is what Algorithm 2 makes of its circuit. `macchiato-twin --compare CASES` reads what macchiato-check said of many files and counts where the two differ. *)

let contents path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

(* What a certificate and a file claim together. *)
let claims text file =
  let claim = Read_certificate.read text in
  let file = file () in
  if not (Z.equal (Z.of_int (String.length file)) claim.bytes) then Fault.rejected "the file has another length";
  if Sha256.hex file <> claim.sha256 then Fault.rejected "the file has another SHA-256";
  let outputs = List.length claim.certificate.answered in
  let layers =
    match claim.format with
    | Onnx -> Onnx.read file (Z.to_int claim.certificate.cube) outputs
    | Safetensors -> Safetensors.read file
  in
  (claim.certificate, Layers.file_of file claim.certificate layers)

let judged question =
  try question () with
  | Fault.Rejected why -> (1, "rejected: " ^ why)
  | Fault.Unreadable (line, why) -> (2, Printf.sprintf "unreadable: line %d: %s" line why)

let decide text file =
  judged (fun () ->
      let certificate, file = claims text file in
      match Checker.check_file certificate file with Some _ -> (0, "accepted") | None -> (1, "rejected"))

let realizes text file =
  judged (fun () ->
      let certificate, file = claims text file in
      match (Checker.check_file certificate file, Checker.decode_list Checker.decode_layer [] file) with
      | Some circuit, Some network when Realization.same circuit network -> (0, "as Algorithm 2 makes it")
      | _ -> (1, "rejected: not as Algorithm 2 makes it"))

(* Each case: a byte with the verdict, the lengths of certificate and network in four bytes, least first, and the two. *)
let compare_cases path =
  let channel = open_in_bin path in
  let counts = Array.make_matrix 3 3 0 and differing = ref 0 in
  let number () =
    let four = really_input_string channel 4 in
    Int32.to_int (String.get_int32_le four 0)
  in
  (try
     while true do
       let said = input_byte channel in
       let of_text = number () in
       let of_file = number () in
       let text = really_input_string channel of_text in
       let file = really_input_string channel of_file in
       let code, verdict = decide text (fun () -> file) in
       counts.(said).(code) <- counts.(said).(code) + 1;
       if code <> said then begin
         incr differing;
         if !differing <= 10 then Printf.printf "macchiato-check %d, the twin %d (%s) on:\n%s\n" said code verdict text
       end
     done
   with End_of_file -> ());
  let all = Array.fold_left (Array.fold_left ( + )) 0 counts in
  Printf.printf "%d cases: %d accepted, %d rejected and %d unreadable by both; %d differ, %d of them accepted by macchiato-check alone\n" all
    counts.(0).(0) counts.(1).(1) counts.(2).(2) !differing
    (counts.(0).(1) + counts.(0).(2));
  if all = 0 || !differing > 0 then 1 else 0

let say (code, verdict) =
  print_endline verdict;
  exit code

let () =
  try
    match Sys.argv with
    | [| _; "--compare"; cases |] -> exit (compare_cases cases)
    | [| _; network; certificate |] -> say (decide (contents certificate) (fun () -> contents network))
    | [| _; "--paper"; network; certificate |] -> say (realizes (contents certificate) (fun () -> contents network))
    | _ -> prerr_endline "macchiato-twin NETWORK CERTIFICATE"; exit 2
  with Sys_error why -> print_endline ("unreadable: " ^ why); exit 2
