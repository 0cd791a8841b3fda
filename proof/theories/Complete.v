(** * What [check] must not refuse

    A compiler for every circuit, and that the check accepts what it makes: whatever the gates, their points, the depth and the outputs. It is a plain
    compiler, one gate to a layer, with everything before relayed; what matters is that no circuit is beyond the check. The two limits are
    the circuit's own: there are numbers, its largest sum and its steps, above which every limit will do. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers OneGate Describe Passes.
From Macchiato Require Gates.
Import ListNotations.
Open Scope Z_scope.

(** ** The compiler

    Layer [t + 1] relays every input and the gates before gate [t], and holds that gate's neurons. [b] inputs, then gates, are the entries of
    a layer; entry [e] of layer [t] is gate [base + e] of the certificate, or input [e]. *)
Lemma circuit_eta k : Circuit (inputs k) (gates k) (outputs k) = k.
Proof. destruct k. reflexivity. Qed.

Section Compiler.
Variable k : circuit.
Let b := N.to_nat (inputs k).
Let gs := gates k.
Definition entry_of (s : source) : nat := match s with Input i => N.to_nat i | Earlier j => (b + N.to_nat j)%nat end.
Definition entry_source (e : nat) : source := if Nat.ltb e b then Input (N.of_nat e) else Earlier (N.of_nat (e - b)).
Definition entry_gate (e : nat) : option circuit_gate := if Nat.ltb e b then None else nth_error gs (e - b).
Definition entry_sum (e : nat) : bool := match entry_gate e with Some g => is_sum (answers g) | None => false end.
Definition entry_most (e : nat) : Z := match entry_gate e with Some (CircuitGate Sum ls) => whole ls | _ => 1 end.
Definition at_level (t : nat) (base : N) (e : nat) : source :=
  match t with O => Input (N.of_nat e) | S _ => Earlier (base + N.of_nat e) end.

Definition relay (t : nat) (base : N) (e : nat) (p : bool) (place : nat) : gate :=
  Gate Relay [Literal (at_level t base e) p 1] (N.of_nat (S t)) 0 (bank place 1 (fun _ => 1)).
Definition table (g : circuit_gate) (c : Z) : Z := rule_value (answers g) c (whole (counts g)).
Definition bends_of (g : circuit_gate) : nat := Z.to_nat (whole (counts g)).
Definition moved (t : nat) (base : N) (l : literal) : literal := Literal (at_level t base (entry_of (reads l))) (positive l) (points l).
Definition compiled_gate (t : nat) (base : N) (g : circuit_gate) : gate :=
  Gate (Rule (answers g)) (map (moved t base) (counts g)) (N.of_nat (S t)) (table g 0) (bank (b + t) (bends_of g) (Gates.bend (table g))).
(** Entries with their polarities, one after the other from place [place] on. *)
Fixpoint relays (t : nat) (base : N) (place : nat) (items : list (nat * bool)) : list gate :=
  match items with [] => [] | (e, p) :: items' => relay t base e p place :: relays t base (S place) items' end.
Definition block (t : nat) (base : N) (g : circuit_gate) : list gate :=
  relays t base 0 (map (fun e => (e, true)) (seq 0 (b + t))) ++ [compiled_gate t base g].
Definition output_block (t : nat) (base : N) : list gate :=
  relays t base 0 (map (fun l => (entry_of (reads l), positive l)) (outputs k)).
Fixpoint blocks (t : nat) (base next : N) (rest : list circuit_gate) : list gate :=
  match rest with
  | [] => output_block t base
  | g :: rest' => block t base g ++ blocks (S t) next (next + N.of_nat (b + t) + 1) rest'
  end.
Fixpoint first_output (t : nat) (next : N) (rest : list circuit_gate) : N :=
  match rest with [] => next | _ :: rest' => first_output (S t) (next + N.of_nat (b + t) + 1) rest' end.
Fixpoint widths (t : nat) (rest : list circuit_gate) : list (N * bool) :=
  match rest with
  | [] => [(N.of_nat (length (outputs k)), true)]
  | g :: rest' => (N.of_nat (b + t + bends_of g), true) :: widths (S t) rest'
  end.
Fixpoint answers_from (i : N) (outs : list literal) : list (N * Z) :=
  match outs with [] => [] | l :: outs' => (i, entry_most (entry_of (reads l))) :: answers_from (N.succ i) outs' end.
Definition compile : certificate :=
  Certificate (inputs k) (widths 0 gs) (blocks 0 0 0 gs) (answers_from (first_output 0 0 gs) (outputs k)).

(** What a circuit must be: it reads what is there, no gate reads a sum, parities count single points, sums are not negated. *)
Definition reads_well (t : nat) (l : literal) : Prop :=
  match reads l with Input i => (i < inputs k)%N | Earlier j => (N.to_nat j < t)%nat end /\ 1 <= points l.
Definition gate_well (t : nat) (g : circuit_gate) : Prop :=
  Forall (fun l => reads_well t l /\ entry_sum (entry_of (reads l)) = false) (counts g) /\ (answers g = Xor -> Forall (fun l => points l = 1) (counts g)).
Definition well_formed : Prop :=
  (forall t g, nth_error gs t = Some g -> gate_well t g) /\
  Forall (fun l => reads_well (length gs) l /\ points l = 1 /\ (entry_sum (entry_of (reads l)) = true -> positive l = true)) (outputs k).
Hypothesis wf : well_formed.

Lemma reads_well_entry t l : reads_well t l -> (entry_of (reads l) < b + t)%nat /\ entry_source (entry_of (reads l)) = reads l.
Proof.
  intros [R _]. unfold entry_source, b in *. destruct (reads l) as [i|j]; cbn [entry_of] in *.
  - replace (Nat.ltb (N.to_nat i) (N.to_nat (inputs k))) with true by (symmetry; apply Nat.ltb_lt; lia). rewrite N2Nat.id. split; [lia|reflexivity].
  - fold b. replace (Nat.ltb (b + N.to_nat j) b) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (b + N.to_nat j - b)%nat with (N.to_nat j) by lia. rewrite N2Nat.id. split; [lia|reflexivity].
Qed.
Lemma whole_nonneg t g : gate_well t g -> 0 <= whole (counts g).
Proof. intros [F _]. unfold whole. induction F as [|l ls [[_ P] _] _ IH]; cbn [map zsum]; lia. Qed.
Lemma entry_most_nonneg e : 0 <= entry_most e.
Proof.
  unfold entry_most, entry_gate. destruct (Nat.ltb e b); [lia|]. destruct (nth_error gs (e - b)) as [g|] eqn:E; [|lia].
  pose proof (whole_nonneg _ _ (proj1 wf _ _ E)) as W. destruct g as [[] ls]; cbn [counts] in W; lia.
Qed.
Lemma entry_most_plain e : entry_sum e = false -> entry_most e = 1.
Proof. unfold entry_sum, entry_most. destruct (entry_gate e) as [[[] ls]|]; cbn [answers is_sum]; (reflexivity || discriminate). Qed.

Let layers := number 1 none (widths 0 gs).
Lemma layer_at l p : nth_error (widths 0 gs) l = Some p -> get (N.of_nat (S l)) layers = Some p.
Proof.
  intros E. unfold layers. rewrite number_get. replace (N.of_nat (S l) <? 1)%N with false by (symmetry; apply N.ltb_ge; lia).
  replace (N.to_nat (N.of_nat (S l) - 1)) with l by lia. rewrite E. reflexivity.
Qed.

(** Entry [e] of layer [t] is there, under the name [src]. *)
Definition present (st : progress) (t : nat) (e : nat) (src : source) : Prop :=
  exists s, signal_of (inputs k) (signals st) src = Some s /\ from s = N.of_nat t /\ most s = entry_most e /\ 0 <= wide s /\
    meaning_of (meanings st) src = Some (Is (entry_source e) true (entry_sum e)).
(** A step that names new signals only. *)
Definition keeps (st st' : progress) : Prop := (seen st <= seen st')%N /\
  forall g, (g < seen st)%N -> get g (signals st') = get g (signals st) /\ get g (meanings st') = get g (meanings st).
Definition old (st : progress) (src : source) : Prop := match src with Input _ => True | Earlier g => (g < seen st)%N end.
Lemma keeps_trans a c d : keeps a c -> keeps c d -> keeps a d.
Proof. intros [L1 H1] [L2 H2]. split; [lia|]. intros g G. destruct (H1 g G), (H2 g ltac:(lia)). split; congruence. Qed.
Lemma present_kept st st' t e src : keeps st st' -> old st src -> present st t e src -> present st' t e src.
Proof.
  intros [_ H] O (s & E & P). exists s. destruct src as [i|g]; [exact (conj E P)|]. cbn [old] in O. destruct (H g O) as [Es Em].
  cbn [signal_of meaning_of] in *. rewrite Es, Em. exact (conj E P).
Qed.

(** One relay, to place [p] of layer [t + 1]. *)
Lemma relay_step st t ba e p pl width : nth_error (widths 0 gs) t = Some (width, true) -> present st t e (at_level t ba e) ->
  (p = true \/ entry_most e = 1) -> (entry_sum e = true -> p = true) -> (N.of_nat (S pl) <= width)%N ->
  (forall i, (pl <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) = None) ->
  exists st', passes (inputs k) layers [relay t ba e p pl] st st' /\ keeps st st' /\ (seen st' = seen st + 1)%N /\ made st' = made st /\
    made_so_far st' = made_so_far st /\
    get (seen st) (signals st') = Some (Signal (N.of_nat (S t)) 0 [(N.of_nat pl, 1)] 1 (entry_most e)) /\
    get (seen st) (meanings st') = Some (Is (entry_source e) p (entry_sum e)) /\
    (forall l, l <> N.of_nat (S t) -> bank_of l (banks st') = bank_of l (banks st)) /\
    (forall i, (i < S pl)%nat -> (i = pl \/ get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) <> None) -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) <> None) /\
    (forall i, (S pl <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) = None).
Proof.
  intros Wd (s & E & F & M & Wi & Me) Po Su Pl Fr. pose proof (entry_most_nonneg e) as Nn.
  destruct (gate_passes (inputs k) layers st Relay [Literal (at_level t ba e) p 1] [entry_most e] t 0 pl 1 (fun _ => 1) width
    (Is (entry_source e) p (entry_sum e)) None [Literal (entry_source e) p 1] (entry_sum e)) with (R := entry_most e) as (b' & P & C1 & C2 & C3).
  - apply layer_at. exact Wd.
  - constructor; [|constructor]. exists s. cbn [reads positive points]. repeat split; auto; try lia.
  - reflexivity.
  - rewrite Nat.add_1_r. exact Pl.
  - exact Fr.
  - intros c C. cbn [reach points] in C. assert (V : reading true (Gate Relay [Literal (at_level t ba e) p 1] (N.of_nat (S t)) 0 (bank pl 1 (fun _ => 1))) c = c).
    { rewrite reading_sum. unfold bank, response, activate, relu. cbn [seq map neurons base coefficient slope offset zsum]. lia. }
    rewrite V. split; [lia|]. intros limit. apply Z.eqb_refl.
  - cbn [resolve_all one]. unfold resolve. cbn [reads positive points relaying]. rewrite Me.
    assert (Q : entry_sum e && negb (true && eqb true p) = false) by (destruct (entry_sum e); [rewrite (Su eq_refl); reflexivity|reflexivity]).
    rewrite Q. destruct p; reflexivity.
  - reflexivity.
  - intros m. cbn [range reach points]. lia.
  - eexists. split; [exact P|]. cbn [seen made made_so_far signals meanings banks]. split; [|split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]].
    + split; cbn [seen signals meanings]; [lia|]. intros g G. rewrite !get_put. destruct (N.eqb_spec (seen st) g); [lia|auto].
    + reflexivity.
    + reflexivity.
    + reflexivity.
    + rewrite get_put, N.eqb_refl. unfold read_out, bank, size. cbn [seq map neurons fold_left place coefficient]. rewrite Nat.add_0_r. reflexivity.
    + rewrite get_put, N.eqb_refl. reflexivity.
    + intros l L. rewrite bank_put. destruct (N.eqb_spec (N.of_nat (S t)) l); [congruence|reflexivity].
    + intros i I [->|G]; rewrite bank_put, N.eqb_refl; [apply C1; lia|apply C2; exact G].
    + intros i I. rewrite bank_put, N.eqb_refl. apply C3. lia.
Qed.

(** Many relays. *)
Definition relayed (st st' : progress) (t place : nat) (items : list (nat * bool)) : Prop :=
  keeps st st' /\ (seen st' = seen st + N.of_nat (length items))%N /\ made st' = made st /\ made_so_far st' = made_so_far st /\
  (forall i e p, nth_error items i = Some (e, p) ->
     get (seen st + N.of_nat i)%N (signals st') = Some (Signal (N.of_nat (S t)) 0 [(N.of_nat (place + i), 1)] 1 (entry_most e)) /\
     get (seen st + N.of_nat i)%N (meanings st') = Some (Is (entry_source e) p (entry_sum e))) /\
  (forall l, l <> N.of_nat (S t) -> bank_of l (banks st') = bank_of l (banks st)) /\
  (forall i, (i < place + length items)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) <> None) /\
  (forall i, (place + length items <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) = None).
Lemma relays_step t ba width items : nth_error (widths 0 gs) t = Some (width, true) -> forall st place, (N.of_nat (place + length items) <= width)%N ->
  Forall (fun i => present st t (fst i) (at_level t ba (fst i)) /\ old st (at_level t ba (fst i)) /\ (snd i = true \/ entry_most (fst i) = 1) /\
    (entry_sum (fst i) = true -> snd i = true)) items ->
  (forall i, (i < place)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) <> None) ->
  (forall i, (place <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) = None) ->
  exists st', passes (inputs k) layers (relays t ba place items) st st' /\ relayed st st' t place items.
Proof.
  intros Wd. induction items as [|[e p] items IH]; intros st pl Wi F Cl Fr; cbn [relays].
  - exists st. split; [apply passes_nil|]. unfold relayed. cbn [length]. rewrite !Nat.add_0_r.
    split; [split; [lia|auto]|]. split; [lia|]. split; [reflexivity|]. split; [reflexivity|]. split; [intros [|i] e p Q; discriminate Q|]. auto.
  - inversion F as [|? ? (Pr & Ol & Po & Su) F']; subst. cbn [fst snd] in *. cbn [length] in Wi.
    destruct (relay_step st t ba e p pl width Wd Pr Po Su) as (st1 & P1 & K1 & S1 & M1 & N1 & G1 & G2 & B1 & B2 & B3); [lia|exact Fr|].
    destruct (IH st1 (S pl)) as (st2 & P2 & K2 & S2 & M2 & N2 & I2 & B4 & B5 & B6).
    + lia.
    + revert F'. apply Forall_impl. intros [e' p'] (Pr' & Ol' & Q). cbn [fst snd] in *. split; [eapply present_kept; eassumption|]. split; [|exact Q].
      destruct (at_level t ba e'); cbn [old] in *; [exact I|]. destruct K1. lia.
    + intros i I. apply B2; [lia|]. destruct (Nat.eq_dec i pl); [left; assumption|right; apply Cl; lia].
    + exact B3.
    + exists st2. split; [exact (passes_app _ _ [_] _ _ _ _ P1 P2)|]. split; [eapply keeps_trans; eassumption|]. cbn [length].
      split; [lia|]. split; [congruence|]. split; [congruence|]. split; [|split; [|split]].
      * intros [|i] e' p' Q; cbn [nth_error] in Q.
        -- injection Q as <- <-. rewrite N.add_0_r, Nat.add_0_r. destruct (proj2 K2 (seen st)) as [-> ->]; [lia|]. split; assumption.
        -- replace (seen st + N.of_nat (S i))%N with (seen st1 + N.of_nat i)%N by lia. replace (pl + S i)%nat with (S pl + i)%nat by lia. apply I2. exact Q.
      * intros l L. rewrite B4, B1 by exact L. reflexivity.
      * intros i I. apply B5. lia.
      * intros i I. apply B6. lia.
Qed.

(** The gate of a layer. *)
Lemma resolved t ba st ls : Forall (fun l => entry_source (entry_of (reads l)) = reads l /\ entry_sum (entry_of (reads l)) = false /\
    present st t (entry_of (reads l)) (at_level t ba (entry_of (reads l)))) ls ->
  forall r alone acc, resolve_all (Rule r) alone (meanings st) acc false (map (moved t ba) ls) = Some (meanings st, rev_append ls acc, false).
Proof.
  induction 1 as [|l ls (Es & Su & s & _ & _ & _ & _ & Me) _ IH]; intros r alone acc; cbn [map resolve_all rev_append]; [reflexivity|].
  unfold resolve at 1. cbn [moved reads positive points]. rewrite Me, Es, Su. cbn [andb orb].
  replace (Literal (reads l) (eqb true (positive l)) (points l)) with l by (destruct l as [src [] po]; reflexivity). apply IH.
Qed.
Lemma gate_step st t ba g : nth_error gs t = Some g -> nth_error (widths 0 gs) t = Some (N.of_nat (b + t + bends_of g), true) ->
  (forall e, (e < b + t)%nat -> present st t e (at_level t ba e)) -> made_so_far st = N.of_nat t ->
  (forall i, (i < b + t)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) <> None) ->
  (forall i, (b + t <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st)) = None) ->
  exists st', passes (inputs k) layers [compiled_gate t ba g] st st' /\ keeps st st' /\ (seen st' = seen st + 1)%N /\ made st' = g :: made st /\
    made_so_far st' = N.of_nat (S t) /\ present st' (S t) (b + t) (Earlier (seen st)) /\
    (forall l, l <> N.of_nat (S t) -> bank_of l (banks st') = bank_of l (banks st)) /\
    (forall i, (i < b + t + bends_of g)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) <> None).
Proof.
  intros E Wd Pr Ms Cl Fr. destruct (proj1 wf t g E) as [Fl Xo]. pose proof (whole_nonneg t g (proj1 wf t g E)) as W0.
  assert (Eg : entry_gate (b + t) = Some g).
  { unfold entry_gate. replace (Nat.ltb (b + t) b) with false by (symmetry; apply Nat.ltb_ge; lia). replace (b + t - b)%nat with t by lia. exact E. }
  assert (Fu : Forall2 (usable (inputs k) st (N.of_nat (S t))) (map (moved t ba) (counts g)) (map (fun _ => 1) (counts g))).
  { clear -Fl Pr wf. induction Fl as [|l ls [Rw Su] _ IH]; cbn [map]; constructor; [|exact IH].
    destruct (reads_well_entry _ _ Rw) as [Le _]. destruct (Pr _ Le) as (s & Es & Fs & Mo & Wi & _). exists s. cbn [moved reads positive points].
    rewrite (entry_most_plain _ Su) in Mo. destruct Rw as [_ Po]. repeat split; auto; lia. }
  assert (Re : reach (map (moved t ba) (counts g)) (map (fun _ => 1) (counts g)) = whole (counts g)).
  { unfold whole. clear. induction (counts g) as [|l ls IH]; cbn [map reach zsum]; [reflexivity|]. rewrite IH. cbn [moved points]. lia. }
  destruct (gate_passes (inputs k) layers st (Rule (answers g)) (map (moved t ba) (counts g)) (map (fun _ => 1) (counts g)) t (table g 0) (b + t) (bends_of g)
    (Gates.bend (table g)) (N.of_nat (b + t + bends_of g)) (Is (Earlier (made_so_far st)) true (is_sum (answers g))) (Some g)
    (rev_append (counts g) []) false) with (R := entry_most (b + t)) as (b' & P & C1 & C2 & C3).
  - apply layer_at. exact Wd.
  - exact Fu.
  - discriminate.
  - lia.
  - exact Fr.
  - rewrite Re. intros c C. rewrite reading_sum. cbn [neurons Check.base]. unfold bank. rewrite map_map.
    assert (V : table g 0 + zsum (map (fun j => coefficient (Neuron (N.of_nat (b + t + j)) 1 (- Z.of_nat j) (Gates.bend (table g) j)) *
        response true (Neuron (N.of_nat (b + t + j)) 1 (- Z.of_nat j) (Gates.bend (table g) j)) c) (seq 0 (bends_of g))) = table g c).
    { rewrite <- (Gates.bends_exact (table g) (bends_of g) c) by (unfold bends_of; lia). f_equal. unfold Gates.bends. f_equal. apply map_ext.
      intros j. unfold response, activate. cbn [coefficient slope offset]. f_equal. f_equal. lia. }
    rewrite V. split; [|intros limit; apply Z.eqb_refl].
    unfold table. destruct (answers g); cbn [rule_value]; try apply b2z_range. lia.
  - apply resolved. clear -Fl Pr wf. revert Fl. apply Forall_impl. intros l [Rw Su]. destruct (reads_well_entry _ _ Rw) as [Le Es]. auto.
  - rewrite !rev_append_rev, !app_nil_r, rev_involutive. unfold conclude.
    assert (Pa : parity (Rule (answers g)) && negb (forallb (fun l => points l =? 1) (counts g)) = false).
    { destruct (answers g) eqn:A; try reflexivity. cbn [parity andb]. apply negb_false_iff, forallb_forall. intros l I.
      specialize (Xo eq_refl). rewrite Forall_forall in Xo. apply Z.eqb_eq. auto. }
    rewrite Pa. destruct g. reflexivity.
  - intros m. rewrite Re. unfold entry_most. rewrite Eg. destruct g as [[] ls]; reflexivity.
  - eexists. split; [exact P|]. cbn [seen made made_so_far signals meanings banks]. split; [|split; [|split; [|split; [|split; [|split]]]]].
    + split; cbn [seen signals meanings]; [lia|]. intros h G. rewrite !get_put. destruct (N.eqb_spec (seen st) h); [lia|auto].
    + reflexivity.
    + reflexivity.
    + rewrite Ms. lia.
    + eexists. cbn [signal_of meaning_of signals meanings]. rewrite !get_put, N.eqb_refl. split; [reflexivity|]. cbn [from most wide].
      split; [reflexivity|]. split; [reflexivity|]. split; [rewrite size_length; lia|]. rewrite Ms. unfold entry_source, entry_sum. rewrite Eg.
      replace (Nat.ltb (b + t) b) with false by (symmetry; apply Nat.ltb_ge; lia). replace (b + t - b)%nat with t by lia. reflexivity.
    + intros l L. rewrite bank_put. destruct (N.eqb_spec (N.of_nat (S t)) l); [congruence|reflexivity].
    + intros i I. rewrite bank_put, N.eqb_refl. destruct (Nat.lt_ge_cases i (b + t)); [apply C2, Cl; assumption|apply C1; lia].
Qed.

(** ** All layers *)
Lemma widths_gate done g rest : forall s, nth_error (widths s (done ++ g :: rest)) (length done) = Some (N.of_nat (b + (s + length done) + bends_of g), true).
Proof.
  induction done as [|d done IH]; intros s; cbn [app widths length nth_error]; [do 3 f_equal; lia|]. rewrite IH. do 3 f_equal. lia.
Qed.
Lemma widths_last done : forall s, nth_error (widths s done) (length done) = Some (N.of_nat (length (outputs k)), true).
Proof. induction done as [|d done IH]; intros s; cbn [widths length nth_error]; [reflexivity|apply IH]. Qed.
Lemma widths_length done : forall s, length (widths s done) = S (length done).
Proof. induction done as [|d done IH]; intros s; cbn [widths length]; [reflexivity|]. rewrite IH. reflexivity. Qed.

(** Layers up to [t] are claimed, those after it are free. *)
Definition claimed_to (t : nat) (st : progress) : Prop :=
  (forall j w a, (j < t)%nat -> nth_error (widths 0 gs) j = Some (w, a) -> forall i, (i < N.to_nat w)%nat ->
     get (N.of_nat i) (bank_of (N.of_nat (S j)) (banks st)) <> None) /\
  (forall l i, (t < l)%nat -> get (N.of_nat i) (bank_of (N.of_nat l) (banks st)) = None).
Definition finished (st' : progress) (first : N) : Prop :=
  made st' = rev gs /\ claimed_to (S (length gs)) st' /\
  forall i l, nth_error (outputs k) i = Some l ->
    get (first + N.of_nat i)%N (signals st') = Some (Signal (N.of_nat (S (length gs))) 0 [(N.of_nat i, 1)] 1 (entry_most (entry_of (reads l)))) /\
    get (first + N.of_nat i)%N (meanings st') = Some (Is (reads l) (positive l) (entry_sum (entry_of (reads l)))).

Lemma claimed_on t st st' w a : claimed_to t st -> (forall l, l <> N.of_nat (S t) -> bank_of l (banks st') = bank_of l (banks st)) ->
  nth_error (widths 0 gs) t = Some (w, a) -> (forall i, (i < N.to_nat w)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S t)) (banks st')) <> None) ->
  claimed_to (S t) st'.
Proof.
  intros [C F] O E N0. split.
  - intros j w' a' J E' i I. destruct (Nat.eq_dec j t) as [->|D]; [rewrite E in E'; injection E' as <- <-; apply N0; exact I|].
    rewrite O by lia. apply (C j w' a'); [lia|assumption..].
  - intros l i L. rewrite O by lia. apply F. lia.
Qed.

Lemma outputs_step st ba : made st = rev gs -> claimed_to (length gs) st ->
  (forall e, (e < b + length gs)%nat -> present st (length gs) e (at_level (length gs) ba e) /\ old st (at_level (length gs) ba e)) ->
  exists st', passes (inputs k) layers (output_block (length gs) ba) st st' /\ finished st' (seen st).
Proof.
  intros Ma Cl Pr. set (items := map (fun l => (entry_of (reads l), positive l)) (outputs k)).
  destruct (relays_step (length gs) ba (N.of_nat (length (outputs k))) items) with (st := st) (place := 0%nat)
    as (st' & P & K & _ & M & _ & I & O & C & _).
  - apply widths_last.
  - cbn [Nat.add]. unfold items. rewrite map_length. lia.
  - unfold items. apply Forall_forall. intros q Iq. apply in_map_iff in Iq. destruct Iq as (l & <- & Il). cbn [fst snd].
    pose proof (proj2 wf) as F. rewrite Forall_forall in F. destruct (F l Il) as (Rw & _ & Su). destruct (reads_well_entry _ _ Rw) as [Le _].
    destruct (Pr _ Le) as [A1 A2]. split; [exact A1|]. split; [exact A2|]. split; [|exact Su].
    destruct (entry_sum (entry_of (reads l))) eqn:Es; [left; apply Su; reflexivity|right; apply entry_most_plain; exact Es].
  - lia.
  - intros i _. apply (proj2 Cl). lia.
  - exists st'. split; [exact P|]. split; [congruence|]. split.
    + apply (claimed_on _ st st' (N.of_nat (length (outputs k))) true Cl O (widths_last gs 0)). intros i Ii. apply C.
      unfold items. rewrite map_length. lia.
    + intros i l E. destruct (I i (entry_of (reads l)) (positive l)) as [A1 A2]; [unfold items; erewrite map_nth_error by exact E; reflexivity|].
      rewrite A1, A2. cbn [Nat.add]. pose proof (proj2 wf) as F. rewrite Forall_forall in F. apply nth_error_In in E. destruct (F l E) as (Rw & _).
      rewrite (proj2 (reads_well_entry _ _ Rw)). split; reflexivity.
Qed.

Lemma blocks_step rest : forall done st ba, gs = done ++ rest -> made st = rev done -> made_so_far st = N.of_nat (length done) ->
  claimed_to (length done) st ->
  (forall e, (e < b + length done)%nat -> present st (length done) e (at_level (length done) ba e) /\ old st (at_level (length done) ba e)) ->
  exists st', passes (inputs k) layers (blocks (length done) ba (seen st) rest) st st' /\ finished st' (first_output (length done) (seen st) rest).
Proof.
  induction rest as [|g rest IH]; intros done st ba G Ma Ms Cl Pr; cbn [blocks first_output].
  - rewrite app_nil_r in G. subst done. apply outputs_step; assumption.
  - set (t := length done) in *. assert (E : nth_error gs t = Some g) by (rewrite G; unfold t; rewrite nth_error_app2, Nat.sub_diag by lia; reflexivity).
    assert (Wd : nth_error (widths 0 gs) t = Some (N.of_nat (b + t + bends_of g), true)) by (rewrite G; apply widths_gate).
    set (items := map (fun e => (e, true)) (seq 0 (b + t))). assert (Li : length items = (b + t)%nat) by (unfold items; rewrite map_length; apply seq_length).
    destruct (relays_step t ba (N.of_nat (b + t + bends_of g)) items Wd st 0%nat) as (st1 & P1 & K1 & S1 & M1 & N1 & I1 & O1 & C1 & F1).
    + rewrite Li. lia.
    + unfold items. apply Forall_forall. intros q Iq. apply in_map_iff in Iq. destruct Iq as (e & <- & Ie). apply in_seq in Ie. cbn [fst snd].
      destruct (Pr e) as [A1 A2]; [lia|]. auto.
    + lia.
    + intros i _. apply (proj2 Cl). lia.
    + rewrite Li in *. cbn [Nat.add] in *.
      destruct (gate_step st1 t ba g E Wd) as (st2 & P2 & K2 & S2 & M2 & N2 & Pg & O2 & C2).
      * intros e Le. destruct (Pr e Le) as [A1 A2]. eapply present_kept; eassumption.
      * congruence.
      * exact C1.
      * exact F1.
      * assert (T : length (done ++ [g]) = S t) by (rewrite app_length; cbn [length]; unfold t; lia).
        specialize (IH (done ++ [g]) st2 (seen st)). rewrite T in IH.
        destruct IH as (st3 & P3 & Fi).
        -- rewrite <- app_assoc. exact G.
        -- rewrite M2, M1, Ma, rev_app_distr. reflexivity.
        -- exact N2.
        -- apply (claimed_on t st st2 (N.of_nat (b + t + bends_of g)) true Cl); [|exact Wd|].
           ++ intros l L. rewrite O2, O1 by exact L. reflexivity.
           ++ intros i I. apply C2. lia.
        -- intros e Le. cbn [at_level old]. split; [|lia]. destruct (Nat.eq_dec e (b + t)) as [->|D].
           ++ replace (seen st + N.of_nat (b + t))%N with (seen st1) by lia. exact Pg.
           ++ apply (present_kept st1); [exact K2|cbn [old]; lia|]. assert (Ne : nth_error items e = Some (e, true)).
              { unfold items. erewrite map_nth_error; [reflexivity|]. rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. reflexivity. }
              destruct (I1 e e true Ne) as [A1 A2]. eexists. cbn [signal_of meaning_of]. rewrite A1, A2.
              split; [reflexivity|]. cbn [from most wide]. split; [reflexivity|]. split; [reflexivity|]. split; [lia|reflexivity].
        -- exists st3. replace (seen st2) with (seen st + N.of_nat (b + t) + 1)%N in * by lia. split; [|exact Fi].
           unfold block. rewrite <- app_assoc. eapply passes_app; [exact P1|]. exact (passes_app _ _ [_] _ _ _ _ P2 P3).
Qed.

Lemma outputs_pass st first : finished st first -> forall outs done found, outputs k = done ++ outs ->
  check_outputs st (N.of_nat (S (length gs))) (N.of_nat (length done)) found (answers_from (first + N.of_nat (length done)) outs) = Some (rev found ++ outs).
Proof.
  intros (_ & _ & H) outs. induction outs as [|l outs IH]; intros done found G; cbn [answers_from check_outputs]; [rewrite rev_append_rev; reflexivity|].
  destruct (H (length done) l) as [A1 A2]; [rewrite G, nth_error_app2, Nat.sub_diag by lia; reflexivity|].
  unfold check_output. cbn [fst snd]. rewrite A1, A2, !N.eqb_refl, Z.eqb_refl. cbn [andb].
  assert (Il : In l (outputs k)) by (rewrite G; apply in_or_app; right; left; reflexivity).
  pose proof (proj2 wf) as F. rewrite Forall_forall in F. destruct (F l Il) as (_ & Po & _).
  assert (T : length (done ++ [l]) = S (length done)) by (rewrite app_length; cbn [length]; lia).
  specialize (IH (done ++ [l]) (l :: found)). rewrite T, <- app_assoc in IH. specialize (IH G). cbn [rev] in IH. rewrite <- app_assoc in IH.
  replace (N.succ (first + N.of_nat (length done))) with (first + N.of_nat (S (length done)))%N by lia.
  replace (N.succ (N.of_nat (length done))) with (N.of_nat (S (length done))) by lia.
  assert (Q : Literal (reads l) (positive l) 1 = l) by (rewrite <- Po; clear; destruct l; reflexivity). rewrite Q. exact IH.
Qed.
Lemma answers_length outs : forall i, length (answers_from i outs) = length outs.
Proof. induction outs as [|l outs IH]; intros i; cbn [answers_from length]; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma widths_end done : forall s, exists l, widths s done = l ++ [(N.of_nat (length (outputs k)), true)].
Proof.
  induction done as [|d done IH]; intros s; cbn [widths]; [exists []; reflexivity|]. destruct (IH (S s)) as [l ->]. eexists (_ :: l). reflexivity.
Qed.

(** Every circuit has a network that the check accepts, with this very circuit for its answer. *)
Theorem check_complete : exists net M K, forall limit steps, M < limit -> K <= steps -> check_within limit steps compile net = Some k.
Proof.
  destruct (blocks_step gs [] (begin 0) 0%N eq_refl eq_refl eq_refl) as (st & (M1 & K & _ & H1) & Fi).
  - split; [intros j w a J; cbn [length] in J; lia|]. intros l i _. unfold bank_of. cbn [begin banks]. rewrite !get_none. reflexivity.
  - intros e Le. cbn [length at_level old] in *. split; [|exact I]. rewrite Nat.add_0_r in Le. exists (Signal 0 0 [(N.of_nat e, 1)] 1 1).
    cbn [signal_of meaning_of from most wide]. replace (N.of_nat e <? inputs k)%N with true by (symmetry; apply N.ltb_lt; unfold b in Le; lia).
    assert (Q : Nat.ltb e b = true) by (apply Nat.ltb_lt; exact Le).
    unfold entry_most, entry_source, entry_sum, entry_gate. rewrite Q. repeat split; lia.
  - cbn [length begin seen] in *. set (ones := N.iter (inputs k) (cons 1) []).
    destruct (description_passes (banks st) (widths 0 gs) 0 ones) as [M2 H2].
    { intros j w a E i I. cbn [Nat.add]. apply (proj1 (proj1 (proj2 Fi)) j w a); [|exact E|exact I].
      assert (Q : nth_error (widths 0 gs) j <> None) by congruence. apply nth_error_Some in Q. rewrite widths_length in Q. exact Q. }
    exists (description (banks st) 1 (length ones) (widths 0 gs)), (Z.max M1 M2), K. intros limit steps L St.
    unfold check_within. cbn [compile claimed cube shape answered]. fold layers.
    specialize (H1 limit steps ltac:(lia) St). change (with_left (begin 0) steps) with (begin steps) in H1. rewrite H1.
    assert (Sz : Z.to_N (size (widths 0 gs)) = N.of_nat (S (length gs))) by (rewrite size_length, widths_length; lia). rewrite Sz.
    assert (Fl : finished (with_left st (steps - K)) (first_output 0 0 gs)) by exact Fi.
    pose proof (outputs_pass _ _ Fl (outputs k) [] [] eq_refl) as Op. change (N.of_nat (length (@nil literal))) with 0%N in Op.
    rewrite N.add_0_r in Op. cbn [rev app] in Op. rewrite Op.
    cbn [with_left banks made]. rewrite size_length, answers_length. unfold last_width. cbn [compile shape cube].
    destruct (widths_end gs 0) as [l Wl]. rewrite Wl, rev_append_rev, app_nil_r, rev_app_distr. cbn [rev app].
    replace (Z.of_nat (length (outputs k)) =? Z.of_N (N.of_nat (length (outputs k)))) with true by (symmetry; apply Z.eqb_eq; lia).
    rewrite <- Wl. fold ones. change 1%N with (N.of_nat 1). rewrite H2 by lia. cbn [andb]. rewrite rev_append_rev, app_nil_r, (proj1 Fi), rev_involutive.
    unfold gs. rewrite circuit_eta. reflexivity.
Qed.
End Compiler.
