(** * Gates that pass

    What a gate needs for [check_gate] to let it through: operands at the layer before it, places that are free, and the right answer at every count.
    Limits are the gate's own: there are numbers above which every limit will do. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers OneGate.
Import ListNotations.
Open Scope Z_scope.

Definition with_left (st : progress) (L : Z) : progress :=
  Progress (signals st) (meanings st) (seen st) (made st) (made_so_far st) (banks st) L.
Definition bank (p n : nat) (f : nat -> Z) : list neuron := map (fun k => Neuron (N.of_nat (p + k)) 1 (- Z.of_nat k) (f k)) (seq 0 n).

Section Gates.
Variables (B : N) (layers : map_of (N * bool)).
Definition passes (gs : list gate) (st st' : progress) : Prop := exists M K, 0 <= K /\ forall limit L, M < limit -> K <= L ->
  check_gates limit B layers (with_left st L) gs = Some (with_left st' (L - K)).

Lemma passes_nil st : passes [] st st.
Proof. exists 0, 0. split; [lia|]. intros. cbn [check_gates]. rewrite Z.sub_0_r. reflexivity. Qed.
Lemma check_gates_app limit a b : forall st, check_gates limit B layers st (a ++ b)
  = match check_gates limit B layers st a with Some st' => check_gates limit B layers st' b | None => None end.
Proof. induction a as [|g a IH]; intros st; cbn [app check_gates]; [reflexivity|]. destruct (check_gate _ _ _ _ _); [apply IH|reflexivity]. Qed.
Lemma passes_app a b st st1 st2 : passes a st st1 -> passes b st1 st2 -> passes (a ++ b) st st2.
Proof.
  intros (M & K & P & H) (M' & K' & P' & H'). exists (Z.max M M'), (K + K'). split; [lia|]. intros limit L Li Ls.
  rewrite check_gates_app, H, H' by lia. do 2 f_equal. lia.
Qed.

(** An operand that can be counted. *)
Definition usable (st : progress) (l : N) (o : literal) (m : Z) : Prop :=
  exists s, signal_of B (signals st) (reads o) = Some s /\ (from s + 1 = l)%N /\ most s = m /\ 0 <= m /\ 0 <= wide s /\
    (positive o = true \/ m = 1) /\ 1 <= points o.
Fixpoint reach (os : list literal) (ms : list Z) : Z :=
  match os, ms with o :: os', m :: ms' => points o * m + reach os' ms' | _, _ => 0 end.

Lemma gather_passes st l os ms : Forall2 (usable st l) os ms -> forall t, exists M t', t_most t' = t_most t + reach os ms /\
  forall limit, M < limit -> gather limit B (signals st) l t os = Some t'.
Proof.
  induction 1 as [|o m os ms (s & E & F & Mo & P & _ & N & W) _ IH]; intros t; cbn [gather reach]; [exists 0, t; split; [lia|reflexivity]|].
  set (k := if positive o then points o else - points o).
  set (b := t_base t + k * constant s + (points o - Z.max k 0)). set (m' := t_most t + points o * most s).
  destruct (IH (Tally b (fold_left (fun ts p => add_part ts (fst p, k * snd p)) (carried s) (t_totals t)) m')) as (M & t' & T & H).
  exists (Z.max M (Z.max (Z.abs b) m')), t'. split; [rewrite T; cbn [t_most]; unfold m'; lia|]. intros limit L.
  unfold add_operand. rewrite E. fold k. fold b. fold m'. rewrite F, N.eqb_refl. rewrite Mo in *.
  replace (positive o || (m =? 1)) with true by (destruct N as [-> | ->]; [reflexivity|rewrite orb_true_r; reflexivity]).
  replace (1 <=? points o) with true by (symmetry; apply Z.leb_le; lia).
  replace (m' <? limit) with true by (symmetry; apply Z.ltb_lt; lia). replace (Z.abs b <? limit) with true by (symmetry; apply Z.ltb_lt; lia).
  cbn [andb]. apply H. lia.
Qed.
Lemma pay_passes st l os ms : Forall2 (usable st l) os ms -> exists K, 0 <= K /\ forall L, fold_left (pay B (signals st)) os L = L - K.
Proof.
  induction 1 as [|o m os ms (s & E & _ & _ & _ & W & _) _ (K & P & H)]; [exists 0; split; [lia|intros L; cbn; lia]|].
  exists (wide s + K). split; [lia|]. intros L. cbn [fold_left]. rewrite H. unfold pay. rewrite E. lia.
Qed.
Lemma claims_pass a width t f n : forall p b, (forall i, (p <= i)%nat -> get (N.of_nat i) b = None) -> (N.of_nat (p + n) <= width)%N ->
  (exists M b', (forall limit, M < limit -> add_claims limit a width t (bank p n f) b = Some b') /\
  (forall i, (p <= i < p + n)%nat -> get (N.of_nat i) b' <> None) /\ (forall i, get i b <> None -> get i b' <> None) /\
  (forall i, (p + n <= i)%nat -> get (N.of_nat i) b' = None)).
Proof.
  unfold bank. assert (G : forall n j p b, (forall i, (p + j <= i)%nat -> get (N.of_nat i) b = None) -> (N.of_nat (p + j + n) <= width)%N ->
    exists M b', (forall limit, M < limit -> add_claims limit a width t (map (fun k => Neuron (N.of_nat (p + k)) 1 (- Z.of_nat k) (f k)) (seq j n)) b = Some b') /\
    (forall i, (p + j <= i < p + j + n)%nat -> get (N.of_nat i) b' <> None) /\ (forall i, get i b <> None -> get i b' <> None) /\
    (forall i, (p + j + n <= i)%nat -> get (N.of_nat i) b' = None)).
  { clear n. induction n as [|n IH]; intros j p b Z0 W; cbn [seq map add_claims].
    - exists 0, b. split; [reflexivity|]. split; [lia|]. split; [auto|]. intros i I. apply Z0. lia.
    - cbn [place]. rewrite (Z0 (p + j)%nat) by lia.
      set (c := Claim _ _ _ _). destruct (IH (S j) p (put (N.of_nat (p + j)) c b)) as (M & b' & H & I1 & I2 & I3).
      + intros i I. rewrite get_put. destruct (N.eqb_spec (N.of_nat (p + j)) (N.of_nat i)); [lia|]. apply Z0. lia.
      + lia.
      + exists (Z.max M (c_peak c)), b'. split; [|split; [|split]].
        * intros limit L. replace (N.of_nat (p + j) <? width)%N with true by (symmetry; apply N.ltb_lt; lia).
          replace (peak a (t_most t) _ <? limit) with true by (symmetry; apply Z.ltb_lt; unfold c in L; cbn [c_peak] in L; lia). cbn [andb]. apply H. lia.
        * intros i I. destruct (Nat.eq_dec i (p + j)) as [->|]; [apply I2; rewrite get_put, N.eqb_refl; discriminate|]. apply I1. lia.
        * intros i I. apply I2. rewrite get_put. destruct (N.eqb _ _); [discriminate|exact I].
        * intros i I. apply I3. lia. }
  intros p b Z0 W. specialize (G n 0%nat p b). rewrite !Nat.add_0_r in G. apply G; assumption.
Qed.
Lemma counts_pass g a w : (forall c, 0 <= c <= w -> 0 <= reading a g c /\ forall limit, right limit (what g) (reading a g c) c w = true) ->
  exists m, forall limit, try_counts limit a g w = (true, m).
Proof.
  intros H. unfold try_counts.
  assert (G : forall n, (Z.of_nat n <= w + 1) -> exists m, forall limit, N.iter (N.of_nat n) (try_count limit a g w) (0, true, 0) = (Z.of_nat n, true, m)).
  { induction n as [|n IH]; intros L; [exists 0; reflexivity|]. destruct IH as [m E]; [lia|]. exists (Z.max m (reading a g (Z.of_nat n))). intros limit.
    rewrite Nat2N.inj_succ, N.iter_succ, E. unfold try_count. destruct (H (Z.of_nat n)) as [P R]; [lia|]. rewrite R.
    replace (0 <=? reading a g (Z.of_nat n)) with true by (symmetry; apply Z.leb_le; exact P). cbn [andb]. f_equal. f_equal. lia. }
  destruct (Z.le_gt_cases 0 (w + 1)) as [L|L].
  - destruct (G (Z.to_nat (w + 1))) as [m E]; [lia|]. exists m. intros limit. replace (Z.to_N (w + 1)) with (N.of_nat (Z.to_nat (w + 1))) by lia.
    rewrite E. reflexivity.
  - exists 0. intros limit. replace (Z.to_N (w + 1)) with 0%N by lia. reflexivity.
Qed.

(** A gate that is not a fold, with its neurons from place [p] on. *)
Lemma gate_passes st k os ms l b p n f width is new ls sum :
  get (N.of_nat (S l)) layers = Some (width, true) -> Forall2 (usable st (N.of_nat (S l))) os ms -> (relaying k = true -> one os = true) ->
  (N.of_nat (p + n) <= width)%N -> (forall i, (p <= i)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S l)) (banks st)) = None) ->
  let g := Gate k os (N.of_nat (S l)) b (bank p n f) in
  let W := reach os ms in
  (forall c, 0 <= c <= W -> 0 <= reading true g c /\ forall limit, right limit k (reading true g c) c W = true) ->
  resolve_all k (one os) (meanings st) [] false os = Some (meanings st, ls, sum) -> conclude k (made_so_far st) (rev_append ls []) sum = Some (is, new) ->
  forall R, (forall m, range k W m = R) ->
  exists b', passes [g] st (Progress (put (seen st) (Signal (N.of_nat (S l)) b (read_out g) (size (bank p n f)) R) (signals st)) (put (seen st) is (meanings st))
      (seen st + 1) (match new with Some c => c :: made st | None => made st end) (match new with Some _ => made_so_far st + 1 | None => made_so_far st end)
      (put (N.of_nat (S l)) b' (banks st)) 0) /\
    (forall i, (p <= i < p + n)%nat -> get (N.of_nat i) b' <> None) /\
    (forall i, get i (bank_of (N.of_nat (S l)) (banks st)) <> None -> get i b' <> None) /\ (forall i, (p + n <= i)%nat -> get (N.of_nat i) b' = None).
Proof.
  intros La U Re Wi Fr g W Ri Rs Co R Ra.
  destruct (gather_passes _ _ _ _ U (Tally 0 none 0)) as (M1 & t & T & H1). cbn [t_most] in T. rewrite Z.add_0_l in T. fold W in T.
  destruct (pay_passes _ _ _ _ U) as (K1 & P1 & H2). destruct (counts_pass g true W Ri) as [m H3].
  destruct (claims_pass true width t f n p _ Fr Wi) as (M2 & b' & H4 & C1 & C2 & C3). exists b'. split; [|auto].
  assert (Ws : 0 <= W) by (unfold W; clear -U; induction U as [|o m os ms (s & _ & _ & _ & P & _ & _ & Q) _ IH]; cbn [reach]; nia).
  assert (Sz : 0 <= size (bank p n f)) by (rewrite size_length; lia).
  exists (Z.max M1 M2), (K1 + (W + 1) * (size (bank p n f) + 1)). split; [nia|]. intros limit L Li Ls.
  cbn [check_gates]. unfold check_gate. cbn [signals left with_left operands g level neurons what banks meanings seen made made_so_far base].
  rewrite H2, La, H1, T by lia. replace (L - K1 <? 0) with false by (symmetry; apply Z.ltb_ge; nia).
  replace (1 <=? N.of_nat (S l))%N with true by (symmetry; apply N.leb_le; lia).
  replace (0 <=? L - K1 - (W + 1) * (size (bank p n f) + 1)) with true by (symmetry; apply Z.leb_le; lia).
  replace (negb (relaying k) || one os) with true by (destruct (relaying k); [rewrite Re by reflexivity; reflexivity|reflexivity]).
  cbn [andb]. rewrite H4 by lia. fold g. rewrite H3, Rs, Co, Ra. unfold with_left. cbn [signals meanings seen made made_so_far banks]. do 2 f_equal. lia.
Qed.
End Gates.
