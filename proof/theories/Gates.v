(** * The paper's gates

    Proposition [prop:relu-gate-modules] for every arity r, and the gates of Appendix F.3: one neuron suffices for an AND, two layers of one
    neuron for an OR, and no single neuron for an OR or an XOR of two or more. *)
From Coq Require Import ZArith List Lia Bool Reals Lra.
From Macchiato Require Import Network.
Import ListNotations.
Open Scope Z_scope.

(** The paper's s(a), r and connectives. *)
Definition ones (a : list bool) : Z := zsum (map Z.b2z a).
Definition arity (a : list bool) : Z := Z.of_nat (length a).
Definition every (a : list bool) : bool := forallb (fun b => b) a.
Definition some (a : list bool) : bool := existsb (fun b => b) a.
Definition parity (a : list bool) : bool := fold_right xorb false a.

Lemma ones_range a : 0 <= ones a <= arity a.
Proof. unfold ones, arity. induction a as [|[] a]; cbn [map zsum length Z.b2z] in *; lia. Qed.
Lemma ones_every a : (ones a =? arity a) = every a.
Proof.
  induction a as [|b a IH]; [reflexivity|]. pose proof (ones_range a) as R. unfold ones, arity, every in *. cbn [map zsum length forallb].
  rewrite <- IH. destruct b; cbn [Z.b2z andb]; [|apply Z.eqb_neq; lia].
  destruct (Z.eqb_spec (zsum (map Z.b2z a)) (Z.of_nat (length a))); [apply Z.eqb_eq|apply Z.eqb_neq]; lia.
Qed.
Lemma ones_some a : (1 <=? ones a) = some a.
Proof.
  induction a as [|b a IH]; [reflexivity|]. pose proof (ones_range a) as R. unfold ones, some in *. cbn [map zsum existsb].
  rewrite <- IH. destruct b; cbn [Z.b2z orb]; [apply Z.leb_le; unfold arity in R; lia|f_equal; lia].
Qed.
Lemma ones_parity a : Z.odd (ones a) = parity a.
Proof.
  induction a as [|b a IH]; [reflexivity|]. unfold ones, parity in *. cbn [map zsum fold_right]. rewrite Z.odd_add, IH. destruct b; reflexivity.
Qed.

(** ** Functions of a count: from bits and bends

    Any function of a count in 0..n is one neuron for each bend: ReLU(c), ReLU(c - 1), ..., with second differences for coefficients. *)
Definition bend (f : Z -> Z) (k : nat) : Z :=
  let k' := Z.of_nat k in match k with O => f 1 - f 0 | _ => f (k' + 1) - 2 * f k' + f (k' - 1) end.
Definition bends (f : Z -> Z) (n : nat) (c : Z) : Z := zsum (map (fun k => bend f k * relu (c - Z.of_nat k)) (seq 0 n)).

Lemma bends_succ f n c : bends f (S n) c = bends f n c + bend f n * relu (c - Z.of_nat n).
Proof. unfold bends. rewrite seq_S, map_app, zsum_app. cbn [map zsum Nat.add]. lia. Qed.
(** Beyond the last bend it is a straight line. *)
Lemma bends_beyond f n : forall c, Z.of_nat n <= c ->
  f 0 + bends f (S n) c = f (Z.of_nat n) + (c - Z.of_nat n) * (f (Z.of_nat n + 1) - f (Z.of_nat n)).
Proof.
  induction n as [|n IH]; intros c H; rewrite bends_succ.
  - unfold bends, relu, bend. cbn [seq map zsum Z.of_nat]. rewrite Z.max_r by lia. change (0 + 1) with 1. nia.
  - rewrite Z.add_assoc, IH by lia. unfold bend, relu. rewrite Z.max_r by lia.
    replace (Z.of_nat (S n) - 1) with (Z.of_nat n) by lia. replace (Z.of_nat n + 1) with (Z.of_nat (S n)) by lia. nia.
Qed.
Theorem bends_exact f n c : 0 <= c <= Z.of_nat n -> f 0 + bends f n c = f c.
Proof.
  induction n as [|n IH]; intros H; [replace c with 0 by lia; unfold bends; cbn [seq map zsum]; lia|].
  destruct (Z.le_gt_cases c (Z.of_nat n)) as [L|G].
  - rewrite bends_succ. unfold relu. rewrite Z.max_l by lia. rewrite Z.mul_0_r, Z.add_0_r. apply IH. lia.
  - rewrite bends_beyond by lia. replace c with (Z.of_nat n + 1) by lia. nia.
Qed.

(** The paper's coefficients of an XOR: 1, -2, 2, -2, ... *)
Definition odd (c : Z) : Z := Z.b2z (Z.odd c).
Lemma odd_bends k : bend odd k = match k with O => 1 | _ => if Nat.odd k then -2 else 2 end.
Proof.
  destruct k as [|k]; [reflexivity|]. unfold bend, odd. rewrite Z.odd_add, Z.odd_sub.
  replace (Nat.odd (S k)) with (Z.odd (Z.of_nat (S k))) by (rewrite <- Z.negb_even, <- Nat.negb_even; f_equal;
    destruct (Nat.even (S k)) eqn:E; [apply Nat.even_spec in E; destruct E as [m E]; apply Z.even_spec; exists (Z.of_nat m); lia|];
    apply Bool.not_true_iff_false; intros Q; apply Z.even_spec in Q; destruct Q as [m Q];
    assert (Nat.even (S k) = true) by (apply Nat.even_spec; exists (Z.to_nat m); lia); congruence).
  destruct (Z.odd (Z.of_nat (S k))); reflexivity.
Qed.

(** ** Proposition [prop:relu-gate-modules] *)
Theorem not_module b : relu (1 - Z.b2z b) = Z.b2z (negb b).
Proof. destruct b; reflexivity. Qed.
Theorem and_module a : relu (ones a - arity a + 1) - relu (ones a - arity a) = Z.b2z (every a).
Proof.
  rewrite <- ones_every. pose proof (ones_range a). unfold relu. destruct (Z.eqb_spec (ones a) (arity a)); cbn [Z.b2z]; lia.
Qed.
Theorem or_module a : relu (ones a) - relu (ones a - 1) = Z.b2z (some a).
Proof.
  rewrite <- ones_some. pose proof (ones_range a). unfold relu. destruct (Z.leb_spec 1 (ones a)); cbn [Z.b2z]; lia.
Qed.
Lemma xor_sum a : bends odd (length a) (ones a) = Z.b2z (parity a).
Proof.
  rewrite <- ones_parity. pose proof (bends_exact odd (length a) (ones a) (ones_range a)) as E. unfold odd in E at 1 3. cbn [Z.odd Z.b2z] in E. lia.
Qed.
Theorem xor_module a : relu (bends odd (length a) (ones a)) = Z.b2z (parity a).
Proof. rewrite xor_sum. destruct (parity a); reflexivity. Qed.

(** ** Appendix F.3 *)
Theorem and_width_one a : relu (ones a - arity a + 1) = Z.b2z (every a).
Proof. rewrite <- and_module. pose proof (ones_range a). unfold relu. lia. Qed.
Theorem or_depth_two a : relu (1 - relu (1 - ones a)) = Z.b2z (some a).
Proof. rewrite <- or_module. pose proof (ones_range a). unfold relu. lia. Qed.

(** A single neuron with real weights. *)
Fixpoint weighed (w : list R) (a : list bool) : R :=
  match w, a with u :: w', b :: a' => ((if b then u else 0) + weighed w' a')%R | _, _ => 0%R end.
Definition single (w : list R) (b : R) (a : list bool) : R := Rmax 0 (weighed w a + b).
Lemma weighed_none w : forall n, weighed w (repeat false n) = 0%R.
Proof. induction w as [|u w IH]; intros [|n]; cbn [repeat weighed]; try reflexivity. rewrite IH. lra. Qed.

(** What is 0 at no input, 1 at either of two and at most 1 at both is no neuron. *)
Lemma no_single_neuron (f : list bool -> bool) r : f (repeat false (S (S r))) = false ->
  f (true :: false :: repeat false r) = true -> f (false :: true :: repeat false r) = true ->
  ~ exists w b, length w = S (S r) /\ forall a, length a = S (S r) -> single w b a = if f a then 1%R else 0%R.
Proof.
  intros F0 F1 F2 (w & b & L & E). destruct w as [|u [|v w]]; try discriminate L.
  assert (P : forall p q, single (u :: v :: w) b (p :: q :: repeat false r) = if f (p :: q :: repeat false r) then 1%R else 0%R)
    by (intros p q; apply E; cbn [length]; rewrite repeat_length; reflexivity).
  pose proof (P false false) as E0. pose proof (P true false) as E1. pose proof (P false true) as E2. pose proof (P true true) as E3.
  cbn [repeat] in F0. rewrite F0 in E0. rewrite F1 in E1. rewrite F2 in E2.
  unfold single in *. cbn [weighed] in *. rewrite weighed_none in *.
  unfold Rmax in *. destruct (f (true :: true :: repeat false r)); repeat destruct (Rle_dec _ _) in *; lra.
Qed.
Lemma none_some n : some (repeat false n) = false.
Proof. unfold some. induction n; [reflexivity|exact IHn]. Qed.
Lemma none_parity n : parity (repeat false n) = false.
Proof. unfold parity. induction n as [|n IH]; [reflexivity|]. cbn [repeat fold_right]. rewrite IH. reflexivity. Qed.
Theorem or_needs_two r : ~ exists w b, length w = S (S r) /\ forall a, length a = S (S r) -> single w b a = if some a then 1%R else 0%R.
Proof. apply no_single_neuron; [apply none_some|reflexivity|reflexivity]. Qed.
Theorem xor_needs_two r : ~ exists w b, length w = S (S r) /\ forall a, length a = S (S r) -> single w b a = if parity a then 1%R else 0%R.
Proof.
  apply no_single_neuron; [apply none_parity|..]; unfold parity; cbn [fold_right]; fold (parity (repeat false r)); rewrite none_parity; reflexivity.
Qed.
