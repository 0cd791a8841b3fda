(* Whether a network is, number by number, what Algorithm 2 makes of its circuit: the compiler of proof/theories/Paper.v, run on the circuit that the
   proved check gives, which must be an XOR of ORs of ANDs. *)

let rec nat n : Paper.nat = if n = 0 then O else S (nat (n - 1))

(* The stages of a circuit: for each its products, lists of inputs and whether they are negated. *)
let stages (c : Checker.circuit) =
  let gates = Array.of_list c.gates in
  let no () = Fault.rejected "the circuit is no XOR of sums of products" in
  let gate rule (l : Checker.literal) =
    match l with
    | { reads = Earlier g; positive0 = true; _ } when gates.(Z.to_int g).answers = rule -> gates.(Z.to_int g).counts
    | _ -> no ()
  in
  let input (l : Checker.literal) = match l.reads with Input i -> (nat (Z.to_int i), not l.positive0) | Earlier _ -> no () in
  match c.outputs with
  | [ output ] -> List.map (fun stage -> List.map (fun p -> List.map input (gate And p)) (gate Or stage)) (gate Xor output)
  | _ -> no ()

(* [last]: whether a ReLU ends the network. *)
let same (c : Checker.circuit) (network : Checker.network) =
  let last = match List.rev network with layer :: _ -> layer.rectified | [] -> false in
  let made = Paper.compile (nat (Z.to_int c.inputs)) (stages c) last in
  List.length made = List.length network
  && List.for_all2 (fun (a : Paper.layer) (b : Checker.layer) -> a.rectified = b.rectified && a.rows = b.rows) made network
