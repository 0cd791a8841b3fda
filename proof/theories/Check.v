(** * The check

    A certificate says for every gate which literals it counts, which neurons it has, and how its answer is read out of them.
    [check] takes a certificate and a network and gives the circuit, or nothing. It is the procedure of the Rust program
    (crates/macchiato-check), step for step, and it is this very text that is extracted to OCaml. That it is right is in Sound.v.

    Two numbers limit it: [limit], 2^24, which no partial sum may reach, and [steps], how much evaluation is allowed. *)
From Coq Require Import ZArith NArith List Bool.
From Macchiato Require Import Network Circuit.
Import ListNotations.
Open Scope Z_scope.

(** ** Certificates *)
Inductive kind :=
  | Rule (r : rule)
  | Relay                                   (* its one operand, a layer further on *)
  | Nor                                     (* helper: nothing holds *)
  | Fold.                                   (* helper: some number as odd as the count *)
(** A neuron gets [slope * count + offset], and the read-out has it [coefficient] times. *)
Record neuron := Neuron { place : N; slope : Z; offset : Z; coefficient : Z }.
Record gate := Gate { what : kind; operands : list literal; level : N; base : Z; neurons : list neuron }.
Record certificate := Certificate {
  cube : N;                                 (* inputs *)
  shape : list (N * bool);                  (* for each layer its width, and whether a ReLU follows *)
  claimed : list gate;
  answered : list (N * Z) }.                (* for each output its gate and its largest value *)

(** ** What is known of a gate once it has been checked *)
(** Its value, [constant] plus what the neurons [carried] weigh in layer [from], lies between 0 and [most]. There are [wide] of them. *)
Record signal := Signal { from : N; constant : Z; carried : parts; wide : Z; most : Z }.
(** What it stands for in the circuit. A helper is read once and then [Taken]. *)
Inductive meaning :=
  | Is (s : source) (p : bool) (sum : bool)
  | NoneOf (ls : list literal)
  | OddOf (ls : list literal)
  | Taken.
(** What the file must hold for a neuron: weights [slope] times the totals, and the bias. It is never larger than [c_peak]. *)
Record claim := Claim { c_slope : Z; c_bias : Z; c_totals : map_of Z; c_peak : Z }.

Definition bank_of (l : N) (bs : map_of (map_of claim)) : map_of claim := match get l bs with Some b => b | None => none end.
Definition size {A} (l : list A) : Z := fold_left (fun n _ => n + 1) l 0.

Record progress := Progress {
  signals : map_of signal;
  meanings : map_of meaning;
  seen : N;                                 (* gates of the certificate *)
  made : list circuit_gate;                 (* gates of the circuit, the last one first *)
  made_so_far : N;
  banks : map_of (map_of claim);            (* by layer and place *)
  left : Z }.                               (* steps *)

Section Check.
Variables (limit : Z) (B : N) (layers : map_of (N * bool)).

(** ** The count of a gate, as a read-out of the layer before it *)
Record tally := Tally { t_base : Z; t_totals : map_of Z; t_most : Z }.

Definition signal_of (sg : map_of signal) (s : source) : option signal :=
  match s with
  | Input i => if N.ltb i B then Some (Signal 0 0 [(i, 1)] 1 1) else None
  | Earlier g => get g sg
  end.

(** Only what is 0 or 1 may be negated. *)
Definition add_operand (sg : map_of signal) (l : N) (t : tally) (o : literal) : option tally :=
  match signal_of sg (reads o) with
  | None => None
  | Some s =>
      let k := if positive o then points o else - points o in
      let b := t_base t + k * constant s + (points o - Z.max k 0) in
      let m := t_most t + points o * most s in
      if (from s + 1 =? l)%N && (positive o || (most s =? 1)) && (1 <=? points o) && (m <? limit) && (Z.abs b <? limit)
      then Some (Tally b (fold_left (fun ts p => add_part ts (fst p, k * snd p)) (carried s) (t_totals t)) m)
      else None
  end.
Fixpoint gather (sg : map_of signal) (l : N) (t : tally) (os : list literal) : option tally :=
  match os with
  | [] => Some t
  | o :: os' => match add_operand sg l t o with Some t' => gather sg l t' os' | None => None end
  end.
(** What is left of the steps after that. *)
Definition pay (sg : map_of signal) (steps : Z) (o : literal) : Z :=
  match signal_of sg (reads o) with Some s => steps - wide s | None => steps end.

(** ** The gate at every count *)
Definition response (a : bool) (n : neuron) (c : Z) : Z := activate a (slope n * c + offset n).
Definition reading (a : bool) (g : gate) (c : Z) : Z :=
  fold_left (fun v n => v + coefficient n * response a n c) (neurons g) (base g).
Definition right (k : kind) (v c w : Z) : bool :=
  match k with
  | Rule r => v =? rule_value r c w
  | Relay => v =? c
  | Nor => v =? Z.b2z (c =? 0)
  | Fold => eqb (Z.odd v) (Z.odd c) && (v <? limit)
  end.
(** Count, whether all was right up to it, largest value so far. *)
Definition try_count (a : bool) (g : gate) (w : Z) (p : Z * bool * Z) : Z * bool * Z :=
  let '(c, good, m) := p in
  if good then let v := reading a g c in (c + 1, (0 <=? v) && right (what g) v c w, Z.max m v) else p.
Definition try_counts (a : bool) (g : gate) (w : Z) : bool * Z :=
  let '(_, good, m) := N.iter (Z.to_N (w + 1)) (try_count a g w) (0, true, 0) in (good, m).
Definition range (k : kind) (w m : Z) : Z :=
  match k with Rule Sum | Relay => w | Rule _ | Nor => 1 | Fold => Z.max m 1 end.

(** ** Its neurons: each belongs to one gate *)
Definition peak (a : bool) (w : Z) (n : neuron) : Z := Z.max (Z.abs (response a n 0)) (Z.abs (response a n w)).
Fixpoint add_claims (a : bool) (width : N) (t : tally) (ns : list neuron) (b : map_of claim) : option (map_of claim) :=
  match ns with
  | [] => Some b
  | n :: ns' =>
      match get (place n) b with
      | Some _ => None
      | None =>
          if (place n <? width)%N && (peak a (t_most t) n <? limit)
          then add_claims a width t ns'
                 (put (place n) (Claim (slope n) (slope n * t_base t + offset n) (t_totals t) (peak a (t_most t) n)) b)
          else None
      end
  end.

(** ** What the gate stands for *)
Definition parity (k : kind) : bool := match k with Fold | Rule Xor => true | _ => false end.
Definition disjunction (k : kind) : bool := match k with Rule Or => true | _ => false end.
Definition relaying (k : kind) : bool := match k with Relay => true | _ => false end.
Definition meaning_of (ms : map_of meaning) (s : source) : option meaning :=
  match s with Input _ => Some (Is s true false) | Earlier g => get g ms end.
Definition take (ms : map_of meaning) (s : source) : map_of meaning :=
  match s with Input _ => ms | Earlier g => put g Taken ms end.
(** The literals of the circuit that an operand stands for, put before those found so far, and whether they are a sum. *)
Definition resolve (k : kind) (alone : bool) (ms : map_of meaning) (ls : list literal) (o : literal)
  : option (map_of meaning * list literal * bool) :=
  match meaning_of ms (reads o) with
  | Some (Is s p sum) =>
      let q := eqb p (positive o) in
      if sum && negb (relaying k && q) then None else Some (ms, Literal s q (points o) :: ls, sum)
  | Some (NoneOf of) =>
      if disjunction k && alone && negb (positive o) then Some (take ms (reads o), rev_append of ls, false) else None
  | Some (OddOf of) =>
      if parity k && positive o && (points o =? 1) then Some (take ms (reads o), rev_append of ls, false) else None
  | Some Taken | None => None
  end.
Fixpoint resolve_all (k : kind) (alone : bool) (ms : map_of meaning) (ls : list literal) (sum : bool) (os : list literal)
  : option (map_of meaning * list literal * bool) :=
  match os with
  | [] => Some (ms, ls, sum)
  | o :: os' =>
      match resolve k alone ms ls o with
      | Some (ms', ls', s) => resolve_all k alone ms' ls' (sum || s) os'
      | None => None
      end
  end.
Definition is_sum (r : rule) : bool := match r with Sum => true | _ => false end.
(** The gate's own meaning, and the gate of the circuit that it is, if it is one. *)
Definition conclude (k : kind) (n : N) (ls : list literal) (sum : bool) : option (meaning * option circuit_gate) :=
  if parity k && negb (forallb (fun l => points l =? 1) ls) then None
  else match k with
    | Rule r => Some (Is (Earlier n) true (is_sum r), Some (CircuitGate r ls))
    | Relay => match ls with [Literal s p 1] => Some (Is s p sum, None) | _ => None end
    | Nor => Some (NoneOf ls, None)
    | Fold => Some (OddOf ls, None)
    end.

Definition one {A} (l : list A) : bool := match l with [_] => true | _ => false end.

(** ** One gate, all of the above *)
Definition read_out (g : gate) : parts := fold_left (fun ps n => (place n, coefficient n) :: ps) (neurons g) [].
Definition check_gate (st : progress) (g : gate) : option progress :=
  let paid := fold_left (pay (signals st)) (operands g) (left st) in
  if paid <? 0 then None
  else match get (level g) layers, gather (signals st) (level g) (Tally 0 none 0) (operands g) with
  | Some (width, a), Some t =>
      let w := t_most t in
      let rest := paid - (w + 1) * (size (neurons g) + 1) in
      if (1 <=? level g)%N && (0 <=? rest) && (negb (relaying (what g)) || one (operands g)) then
        match add_claims a width t (neurons g) (bank_of (level g) (banks st)), try_counts a g w,
              resolve_all (what g) (one (operands g)) (meanings st) [] false (operands g) with
        | Some b, (true, m), Some (ms, ls, sum) =>
            match conclude (what g) (made_so_far st) (rev_append ls []) sum with
            | Some (is, new) =>
                Some (Progress
                  (put (seen st) (Signal (level g) (base g) (read_out g) (size (neurons g)) (range (what g) w m)) (signals st))
                  (put (seen st) is ms) (seen st + 1)
                  (match new with Some c => c :: made st | None => made st end)
                  (match new with Some _ => made_so_far st + 1 | None => made_so_far st end)
                  (put (level g) b (banks st)) rest)
            | None => None
            end
        | _, _, _ => None
        end
      else None
  | _, _ => None
  end.

Fixpoint check_gates (st : progress) (gs : list gate) : option progress :=
  match gs with
  | [] => Some st
  | g :: gs' => match check_gate st g with Some st' => check_gates st' gs' | None => None end
  end.

(** ** The file, number by number *)
(** A row from place [i] on: its weights must be the claim's, and |bias| and the |weights| times the peaks of what they read
    add up to [sum], which bounds every partial sum in every order. *)
Fixpoint check_row (c : claim) (i : N) (sum : Z) (ws peaks : list Z) : bool :=
  match ws, peaks with
  | [], [] => sum <? limit
  | w :: ws', p :: peaks' =>
      (w =? c_slope c * total_at (c_totals c) i) && check_row c (N.succ i) (sum + Z.abs w * p) ws' peaks'
  | _, _ => false
  end.
(** The rows of a layer from place [i] on, and their peaks, the last one first. Every row belongs to a gate. *)
Fixpoint check_rows (bank : map_of claim) (peaks : list Z) (i : N) (found : list Z) (rs : list row) : option (list Z) :=
  match rs with
  | [] => Some found
  | (ws, b) :: rs' =>
      match get i bank with
      | Some c =>
          if (b =? c_bias c) && check_row c 0 (Z.abs b) ws peaks
          then check_rows bank peaks (N.succ i) (c_peak c :: found) rs' else None
      | None => None
      end
  end.
Fixpoint check_layers (bs : map_of (map_of claim)) (l : N) (peaks : list Z) (net : network) (ls : list (N * bool)) : bool :=
  match net, ls with
  | [], [] => true
  | ly :: net', (width, a) :: ls' =>
      (Z.of_N width =? size (rows ly)) && eqb (rectified ly) a &&
      match check_rows (bank_of l bs) peaks 0 [] (rows ly) with
      | Some found => check_layers bs (N.succ l) (rev_append found []) net' ls'
      | None => false
      end
  | _, _ => false
  end.

(** ** Outputs: output [o] is neuron [o] of the last layer, and nothing else *)
Definition check_output (st : progress) (depth o : N) (out : N * Z) : option literal :=
  match get (fst out) (signals st), get (fst out) (meanings st) with
  | Some (Signal l 0 [(i, 1)] _ m), Some (Is s p _) =>
      if (l =? depth)%N && (i =? o)%N && (m =? snd out) then Some (Literal s p 1) else None
  | _, _ => None
  end.
Fixpoint check_outputs (st : progress) (depth o : N) (found : list literal) (outs : list (N * Z)) : option (list literal) :=
  match outs with
  | [] => Some (rev_append found [])
  | out :: outs' =>
      match check_output st depth o out with
      | Some l => check_outputs st depth (N.succ o) (l :: found) outs'
      | None => None
      end
  end.
End Check.

(** ** All of it *)
Fixpoint number {A} (i : N) (m : map_of A) (l : list A) : map_of A :=
  match l with [] => m | a :: l' => number (N.succ i) (put i a m) l' end.
Definition begin (steps : Z) : progress := Progress none none 0 [] 0 none steps.
Definition last_width (c : certificate) : Z := match rev_append (shape c) [] with (w, _) :: _ => Z.of_N w | [] => Z.of_N (cube c) end.

Definition check_within (limit steps : Z) (c : certificate) (net : network) : option circuit :=
  match check_gates limit (cube c) (number 1 none (shape c)) (begin steps) (claimed c) with
  | Some st =>
      match check_outputs st (Z.to_N (size (shape c))) 0 [] (answered c) with
      | Some outs =>
          if (size (answered c) =? last_width c)
             && check_layers limit (banks st) 1 (N.iter (cube c) (cons 1) []) net (shape c)
          then Some (Circuit (cube c) (rev_append (made st) []) outs) else None
      | None => None
      end
  | None => None
  end.

(** float32 holds every whole number below this. *)
Definition exact : Z := 2 ^ 24.
Definition check : certificate -> network -> option circuit := check_within exact (2 ^ 28).
