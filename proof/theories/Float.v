(** * Float32: every order of summation gives the whole number

    A runtime may add up a neuron's terms in any order and association, with or without fused multiply-add, may pad with zeros and leave
    out zeros. Here are all of these runs, on IEEE-754 binary32 as Flocq has it, in any rounding mode; and where the sizes of the terms add
    up to less than 2^24, each of them gives the whole number, exactly. The file's 32 bits are decoded here too, so that nothing lies
    between the theorem and the bits but the reader that finds them. *)
From Coq Require Import ZArith NArith Reals List Lia Lra Bool Permutation.
From Flocq Require Import Core IEEE754.BinarySingleNaN IEEE754.Binary IEEE754.Bits.
From Macchiato Require Import Network Circuit Check Layers Decode.
Import ListNotations.
Open Scope Z_scope.

(** [f] is a number and it is [n]. Zeros may be negative. *)
Definition holds (f : binary32) (n : Z) : Prop := is_finite 24 128 f = true /\ B2R 24 128 f = IZR n.

(** ** Single operations *)
Lemma format_whole n : Z.abs n < 2 ^ 24 -> generic_format radix2 (SpecFloat.fexp 24 128) (IZR n).
Proof.
  intros H. apply generic_format_FLT. exists (Float radix2 n 0); [unfold F2R; cbn; lra|exact H|cbn; lia].
Qed.
Lemma round_whole m n : Z.abs n < 2 ^ 24 -> round radix2 (SpecFloat.fexp 24 128) (round_mode m) (IZR n) = IZR n.
Proof. intros H. apply round_generic; [apply valid_rnd_round_mode|apply format_whole; exact H]. Qed.
Lemma small n : Z.abs n < 2 ^ 24 -> (Rabs (IZR n) < bpow radix2 128)%R.
Proof.
  intros H. rewrite <- abs_IZR. apply Rlt_trans with (IZR (2 ^ 24)); [apply IZR_lt; exact H|].
  change (IZR (2 ^ 24)) with (bpow radix2 24). apply bpow_lt. reflexivity.
Qed.

Lemma plus_holds m f g a b : holds f a -> holds g b -> Z.abs (a + b) < 2 ^ 24 -> holds (b32_plus m f g) (a + b).
Proof.
  intros [Ff Ef] [Fg Eg] H. unfold b32_plus.
  pose proof (Bplus_correct 24 128 eq_refl eq_refl binop_nan_pl32 m f g Ff Fg) as C.
  rewrite Ef, Eg, <- plus_IZR, (round_whole m _ H), Rlt_bool_true in C by (apply small; exact H).
  destruct C as (E & F & _). split; assumption.
Qed.
(** A product that is whole, whatever its factors. *)
Definition whole_product (f g : binary32) (n : Z) : Prop :=
  is_finite 24 128 f = true /\ is_finite 24 128 g = true /\ (B2R 24 128 f * B2R 24 128 g = IZR n)%R.
Lemma mult_holds m f g n : whole_product f g n -> Z.abs n < 2 ^ 24 -> holds (b32_mult m f g) n.
Proof.
  intros (Ff & Fg & E) H. unfold b32_mult. pose proof (Bmult_correct 24 128 eq_refl eq_refl binop_nan_pl32 m f g) as C.
  rewrite E, (round_whole m _ H), Rlt_bool_true in C by (apply small; exact H).
  destruct C as (E' & F & _). split; [rewrite F, Ff, Fg; reflexivity|assumption].
Qed.
Lemma fma_holds m f g h n c : whole_product f g n -> holds h c -> Z.abs (n + c) < 2 ^ 24 -> holds (b32_fma m f g h) (n + c).
Proof.
  intros (Ff & Fg & E) [Fh Eh] H. unfold b32_fma.
  pose proof (Bfma_correct 24 128 eq_refl eq_refl ternop_nan_pl32 m f g h Ff Fg Fh) as C. cbv zeta in C.
  rewrite E, Eh, <- plus_IZR, (round_whole m _ H), Rlt_bool_true in C by (apply small; exact H).
  destruct C as (E' & F & _). split; assumption.
Qed.

(** ** Ways to add up *)
Inductive sum :=
  | One (b : binary32)                       (* a bias, or a zero to begin with *)
  | Times (w x : binary32)                   (* a product, rounded *)
  | Plus (s t : sum)
  | Fused (w x : binary32) (s : sum).        (* multiply and add, rounded once *)
Fixpoint result (m : mode) (s : sum) : binary32 :=
  match s with
  | One b => b
  | Times w x => b32_mult m w x
  | Plus s t => b32_plus m (result m s) (result m t)
  | Fused w x s => b32_fma m w x (result m s)
  end.
(** What is added up. *)
Inductive term := Alone (b : binary32) | Pair (w x : binary32).
Fixpoint terms (s : sum) : list term :=
  match s with
  | One b => [Alone b]
  | Times w x => [Pair w x]
  | Plus s t => terms s ++ terms t
  | Fused w x s => Pair w x :: terms s
  end.

Definition is_zero (f : binary32) : bool := match f with B754_zero _ _ _ => true | _ => false end.
(** A term that is 0 whatever else: not 0 times infinity. *)
Definition nothing (t : term) : bool :=
  match t with
  | Alone b => is_zero b
  | Pair w x => is_finite 24 128 w && is_finite 24 128 x && (is_zero w || is_zero x)
  end.
Definition something (t : term) : bool := negb (nothing t).
(** The sum is one of the row's terms, up to order and zeros. *)
Definition adds_up (s : sum) (ws : list binary32) (b : binary32) (x : list binary32) : Prop :=
  Permutation (filter something (terms s)) (filter something (Alone b :: map (fun p => Pair (fst p) (snd p)) (combine ws x))).

(** ** Each of them is exact *)
Definition worth (t : term) (n : Z) : Prop := match t with Alone b => holds b n | Pair w x => whole_product w x n end.
Definition mass (l : list Z) : Z := zsum (map Z.abs l).
Lemma mass_app a b : mass (a ++ b) = mass a + mass b.
Proof. unfold mass. rewrite map_app. apply zsum_app. Qed.
Lemma sum_mass l : Z.abs (zsum l) <= mass l.
Proof. unfold mass. induction l; cbn [map zsum]; lia. Qed.

Lemma result_exact m s : forall l, Forall2 worth (terms s) l -> mass l < 2 ^ 24 -> holds (result m s) (zsum l).
Proof.
  induction s as [b|w x|s IHs t IHt|w x s IH]; intros l F M; cbn [terms result] in *.
  - inversion F as [|? n ? ? W F']; subst. inversion F'; subst. cbn [zsum]. rewrite Z.add_0_r. exact W.
  - inversion F as [|? n ? ? W F']; subst. inversion F'; subst. cbn [zsum]. rewrite Z.add_0_r.
    apply mult_holds; [exact W|]. unfold mass in M. cbn [map zsum] in M. lia.
  - apply Forall2_app_inv_l in F. destruct F as (l1 & l2 & F1 & F2 & ->). rewrite mass_app in M. rewrite zsum_app.
    pose proof (sum_mass l1). pose proof (sum_mass l2). apply plus_holds; [apply IHs|apply IHt|]; (assumption || lia).
  - inversion F as [|? n ? l' W F']; subst. change (mass (n :: l')) with (Z.abs n + mass l') in M.
    cbn [zsum]. pose proof (sum_mass l'). apply fma_holds; [exact W|apply IH; [assumption|]|]; lia.
Qed.

(** Zeros change neither sum nor mass. *)
Lemma worth_nothing t n : nothing t = true -> worth t n <-> n = 0.
Proof.
  assert (Q : forall f, is_zero f = true -> B2R 24 128 f = 0%R /\ is_finite 24 128 f = true)
    by (intros f Zf; destruct f; try discriminate Zf; split; reflexivity).
  destruct t as [b|w x]; cbn [nothing worth]; intros H.
  - destruct (Q b H) as [E F]. unfold holds. rewrite E. split; [intros [_ Z0]; apply eq_IZR; symmetry; exact Z0|intros ->; auto].
  - split_and. assert (E : (B2R 24 128 w * B2R 24 128 x = 0)%R).
    { apply orb_prop in H0. destruct H0 as [Z0|Z0]; destruct (Q _ Z0) as [-> _]; lra. }
    unfold whole_product. rewrite E. split; [intros (_ & _ & Z0); apply eq_IZR; symmetry; exact Z0|intros ->; auto].
Qed.

Lemma filter_worth ts l : Forall2 worth ts l -> exists l', Forall2 worth (filter something ts) l' /\ zsum l' = zsum l /\ mass l' = mass l.
Proof.
  induction 1 as [|t n ts l W F (l' & F' & S & M)]; [exists []; repeat split; constructor|]. cbn [filter]. unfold something.
  destruct (nothing t) eqn:E; cbn [negb].
  - exists l'. apply (worth_nothing t n E) in W. subst n. split; [exact F'|]. unfold mass in *. cbn [map zsum]. lia.
  - exists (n :: l'). split; [constructor; assumption|]. unfold mass in *. cbn [map zsum]. lia.
Qed.
(** The other way round. *)
Lemma unfilter_worth ts l' : Forall2 worth (filter something ts) l' ->
  exists l, Forall2 worth ts l /\ zsum l = zsum l' /\ mass l = mass l'.
Proof.
  revert l'. induction ts as [|t ts IH]; intros l' F; cbn [filter] in F; [inversion F; subst; exists []; repeat split; constructor|].
  unfold something in F. destruct (nothing t) eqn:E; cbn [negb] in F; fold something in F.
  - destruct (IH _ F) as (l & Fl & S & M). exists (0 :: l). split; [constructor; [apply (worth_nothing t 0 E); reflexivity|exact Fl]|]. unfold mass in *. cbn [map zsum]. lia.
  - inversion F as [|? n ? l2 W F2]; subst. destruct (IH _ F2) as (l & Fl & S & M). exists (n :: l).
    split; [constructor; assumption|]. unfold mass in *. cbn [map zsum]. lia.
Qed.
Lemma permuted_worth ts us l : Permutation ts us -> Forall2 worth us l -> exists l', Forall2 worth ts l' /\ zsum l' = zsum l /\ mass l' = mass l.
Proof.
  intros P. revert l. induction P as [|t ts us P IH|t u ts|ts us vs P1 IH1 P2 IH2]; intros l F.
  - inversion F; subst. exists []. repeat split; constructor.
  - inversion F as [|? n ? l2 W F2]; subst. destruct (IH _ F2) as (l' & F' & S & M). exists (n :: l').
    split; [constructor; assumption|]. unfold mass in *. cbn [map zsum]. lia.
  - inversion F as [|? n ? l2 W F2]; subst. inversion F2 as [|? k ? l3 W' F3]; subst. exists (k :: n :: l3).
    split; [repeat constructor; assumption|]. unfold mass. cbn [map zsum]. lia.
  - destruct (IH2 _ F) as (l2 & F2 & S2 & M2). destruct (IH1 _ F2) as (l1 & F1 & S1 & M1). exists l1. split; [exact F1|]. lia.
Qed.
Lemma row_exact m s ws b x ws' b' x' : Forall2 holds ws ws' -> holds b b' -> Forall2 holds x x' -> length ws' = length x' ->
  absdot ws' x' + Z.abs b' < 2 ^ 24 ->
  adds_up s ws b x -> holds (result m s) (dot ws' x' + b').
Proof.
  intros Fw Hb Fx L M A.
  assert (R : exists l, Forall2 worth (map (fun p => Pair (fst p) (snd p)) (combine ws x)) l /\ zsum l = dot ws' x' /\ mass l = absdot ws' x').
  { clear A M. revert x x' Fx L. induction Fw as [|w w' ws ws' Hw Fw IH]; intros x x' Fx L.
    - exists []. repeat split; constructor.
    - destruct Fx as [|y y' x x' Hy Fx]; [discriminate L|]. destruct (IH _ _ Fx) as (l & Fl & S & Ma); [cbn in L; lia|].
      exists (w' * y' :: l). split; [constructor; [|exact Fl]; cbn [worth fst snd]; destruct Hw as [F1 E1], Hy as [F2 E2]; repeat split; [exact F1|exact F2|rewrite E1, E2, mult_IZR; reflexivity]|].
      unfold mass in *. cbn [map zsum dot absdot]. lia. }
  destruct R as (l & Fl & S & Ma).
  destruct (filter_worth _ _ (Forall2_cons (Alone b) b' Hb Fl)) as (l1 & F1 & S1 & M1).
  destruct (permuted_worth _ _ _ A F1) as (l2 & F2 & S2 & M2).
  destruct (unfilter_worth _ _ F2) as (l3 & F3 & S3 & M3).
  replace (dot ws' x' + b') with (zsum l3) by (cbn [zsum] in S1; lia).
  apply result_exact; [exact F3|]. change (mass (b' :: l)) with (Z.abs b' + mass l) in M1. lia.
Qed.

(** ** Networks of float32 *)
Record float_layer := FloatLayer { float_rows : list (list binary32 * binary32); float_rectified : bool }.
Definition float_network : Type := list float_layer.

(** ReLU: what is above 0 stays, anything else that is a number becomes a zero of either sign. *)
Definition rectifies (a : bool) (g f : binary32) : Prop :=
  if a then is_finite 24 128 g = true -> ((0 < B2R 24 128 g)%R -> f = g) /\ ((B2R 24 128 g <= 0)%R -> is_zero f = true) else f = g.
(** Every run of a network in rounding mode [m]: each neuron adds up in its own way. *)
Definition float_fires (m : mode) (a : bool) (x : list binary32) (r : list binary32 * binary32) (f : binary32) : Prop :=
  exists s, adds_up s (fst r) (snd r) x /\ rectifies a (result m s) f.
Inductive runs (m : mode) : float_network -> list binary32 -> list binary32 -> Prop :=
  | runs_nil x : runs m [] x x
  | runs_cons l n x y z : Forall2 (float_fires m (float_rectified l) x) (float_rows l) y -> runs m n y z -> runs m (l :: n) x z.

(** A network of float32 holds one of whole numbers. *)
Definition stores (n : float_network) (net : network) : Prop :=
  Forall2 (fun l l' => float_rectified l = rectified l' /\
    Forall2 (fun r r' => Forall2 holds (fst r) (fst r') /\ holds (snd r) (snd r')) (float_rows l) (rows l')) n net.

Lemma rectifies_holds a g f n : holds g n -> rectifies a g f -> holds f (activate a n).
Proof.
  intros [F E] R. unfold rectifies in R. destruct a; cbn [activate]; [|subst f; split; assumption].
  destruct (R F) as [P N]. rewrite E in P, N. unfold relu. destruct (Z.lt_ge_cases 0 n) as [L|L].
  - rewrite (P (IZR_lt _ _ L)), Z.max_r by lia. split; assumption.
  - specialize (N (IZR_le _ _ L)). rewrite Z.max_l by lia. destruct f; try discriminate N. split; reflexivity.
Qed.

(** A layer whose sums stay below 2^24. *)
Definition bounded (x : list Z) (l : layer) : Prop :=
  forall r, In r (rows l) -> length (fst r) = length x /\ absdot (fst r) x + Z.abs (snd r) < 2 ^ 24.

Theorem runs_exact m n net : stores n net -> forall x x' z, Forall2 holds x x' ->
  (forall l ly, nth_error net l = Some ly -> bounded (state net l x') ly) ->
  runs m n x z -> Forall2 holds z (eval net x').
Proof.
  induction 1 as [|l l' n net [A St] Sn IH]; intros x x' z Hx Bo R; inversion R as [|? ? ? y ? Fi R']; subst; [exact Hx|].
  change (eval (l' :: net) x') with (eval net (eval_layer l' x')). apply (IH y); [| |exact R'].
  - pose proof (Bo 0%nat l' eq_refl) as B0. change (state (l' :: net) 0 x') with x' in B0. unfold bounded in B0.
    unfold eval_layer. rewrite A in Fi. clear -Hx B0 Fi St. revert y Fi. induction St as [|r r' rs rs' [Hw Hb] St IHr]; intros y Fi;
      inversion Fi as [|? f ? ys (s & Ad & Re) Fi']; subst; cbn [map]; constructor.
    + unfold fire. apply (rectifies_holds _ (result m s)); [|exact Re]. destruct (B0 r' (or_introl eq_refl)) as [L M].
      eapply row_exact; eassumption.
    + apply IHr; [|exact Fi']. intros r0 I. apply B0. right. exact I.
  - intros j ly E. exact (Bo (S j) ly E).
Qed.

(** ** That there are runs: from left to right, say *)
Fixpoint in_order (ws : list binary32) (x : list binary32) (b : binary32) : sum :=
  match ws, x with w :: ws', y :: x' => Fused w y (in_order ws' x' b) | _, _ => One b end.
Lemma in_order_terms ws : forall x b, terms (in_order ws x b) = map (fun p => Pair (fst p) (snd p)) (combine ws x) ++ [Alone b].
Proof. induction ws as [|w ws IH]; intros [|y x] b; cbn [in_order terms combine map app]; [reflexivity..|]. rewrite IH. reflexivity. Qed.
Lemma filter_permuted {A} (f : A -> bool) a b : Permutation a b -> Permutation (filter f a) (filter f b).
Proof.
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH _ IH']; cbn [filter]; [constructor| | |etransitivity; eassumption].
  - destruct (f x); [constructor|]; exact IH.
  - destruct (f x), (f y); try apply Permutation_refl. apply perm_swap.
Qed.
Definition relu32 (a : bool) (g : binary32) : binary32 :=
  if a then if Rlt_bool 0 (B2R 24 128 g) then g else B754_zero _ _ false else g.
Theorem a_run_exists m n : forall x, exists z, runs m n x z.
Proof.
  induction n as [|l n IH]; intros x; [exists x; constructor|].
  destruct (IH (map (fun r => relu32 (float_rectified l) (result m (in_order (fst r) x (snd r)))) (float_rows l))) as [z R].
  exists z. econstructor; [|exact R]. clear R IH. induction (float_rows l) as [|r rs IHr]; cbn [map]; constructor; [|exact IHr].
  exists (in_order (fst r) x (snd r)). split.
  - unfold adds_up. rewrite in_order_terms. apply filter_permuted. symmetry. apply Permutation_cons_append.
  - unfold rectifies, relu32. destruct (float_rectified l); [|reflexivity]. intros _. split; intros Q.
    + rewrite Rlt_bool_true by exact Q. reflexivity.
    + rewrite Rlt_bool_false by exact Q. reflexivity.
Qed.

(** ** The 32 bits of the file *)
Lemma decode_holds b n : decode b = Some n -> holds (b32_of_bits b) n.
Proof.
  unfold decode, holds, b32_of_bits, binary_float_of_bits. rewrite is_finite_FF2B, B2R_FF2B.
  destruct (Z.eqb_spec b 0) as [->|_]; [intros E; injection E as <-; split; reflexivity|].
  unfold binary_float_of_bits_aux, split_bits. change (2 ^ 23 * 2 ^ 8) with negative. change (2 ^ 23) with fraction. change (2 ^ 8) with exponent.
  assert (F : 0 <= b mod fraction) by (apply Z.mod_pos_bound; reflexivity).
  generalize dependent (b mod fraction). generalize (b / fraction mod exponent). intros e f F.
  pose proof (Zeq_bool_if e 0) as E0. destruct (Z.eqb_spec e 0) as [->|N0].
  - cbn [Zeq_bool]. destruct (Z.eqb_spec f 0) as [->|]; [|discriminate]. intros E. injection E as <-. split; reflexivity.
  - destruct (Zeq_bool e 0); [contradiction|]. destruct ((127 <=? e) && (e <=? 150)) eqn:R; [|discriminate]. split_and.
    apply Z.leb_le in H, H0. pose proof (Zeq_bool_if e (exponent - 1)) as E1. destruct (Zeq_bool e (exponent - 1)).
    { change (exponent - 1) with 255 in E1. lia. }
    destruct (Z.eqb_spec ((f + fraction) mod 2 ^ (150 - e)) 0) as [D|]; [|discriminate].
    assert (P : 0 < 2 ^ (150 - e)) by (apply Z.pow_pos_nonneg; lia).
    pose proof (Z.div_mod (f + fraction) (2 ^ (150 - e)) ltac:(lia)) as Q. rewrite D, Z.add_0_r in Q.
    generalize dependent ((f + fraction) / 2 ^ (150 - e)). intros q Q E. assert (0 < f + fraction) as W by (unfold fraction; lia).
    destruct (f + fraction) as [|p|p]; try lia. clear D W.
    split; [reflexivity|]. unfold FF2R. rewrite Q. assert (n = if negative <=? b then - q else q) as -> by congruence. clear E.
    assert (B : forall k, (F2R (Float radix2 (2 ^ (150 - e) * k) (e + SpecFloat.emin 24 128 - 1)) = IZR k)%R).
    { intros k. unfold F2R. cbn [Fnum Fexp]. rewrite mult_IZR. change (IZR (2 ^ (150 - e))) with (IZR (Zpower radix2 (150 - e))).
      rewrite IZR_Zpower by lia. replace (e + SpecFloat.emin 24 128 - 1) with (- (150 - e)) by (unfold SpecFloat.emin; lia).
      rewrite Rmult_assoc, (Rmult_comm (IZR k)), <- Rmult_assoc, <- bpow_plus. replace (150 - e + - (150 - e)) with 0 by lia.
      cbn [bpow]. lra. }
    destruct (negative <=? b); unfold SpecFloat.cond_Zopp; [|apply B]. rewrite <- (B (- q)), Z.mul_opp_r. reflexivity.
Qed.

(** The network of float32 that the file is. *)
Definition float_of (f : file) : float_network :=
  map (fun l => FloatLayer (map (fun r => (map b32_of_bits (fst r), b32_of_bits (snd r))) (fst l)) (snd l)) f.

Lemma Forall2_map_left {A B C} (R : B -> C -> Prop) (f : A -> B) l l' : Forall2 (fun a c => R (f a) c) l l' -> Forall2 R (map f l) l'.
Proof. induction 1; cbn [map]; constructor; assumption. Qed.
Lemma Forall2_weaken {A B} (R S : A -> B -> Prop) l l' : (forall a b, R a b -> S a b) -> Forall2 R l l' -> Forall2 S l l'.
Proof. intros I. induction 1; constructor; auto. Qed.

Lemma decoded_stores f net : decode_list decode_layer [] f = Some net -> stores (float_of f) net.
Proof.
  intros D. destruct (decode_list_right _ _ _ _ D) as (new & -> & F). cbn [rev app]. apply Forall2_map_left. revert F. apply Forall2_weaken.
  intros l ly E. unfold decode_layer in E. destruct (decode_list decode_row [] (fst l)) as [rs|] eqn:R; [|discriminate E]. injection E as <-.
  split; [reflexivity|]. cbn [float_rows rows]. destruct (decode_list_right _ _ _ _ R) as (rs' & -> & Fr). apply Forall2_map_left.
  revert Fr. apply Forall2_weaken. intros r r' Er. unfold decode_row in Er. destruct (decode_list decode [] (fst r)) as [ws|] eqn:W; [|discriminate Er].
  destruct (decode (snd r)) as [b|] eqn:Eb; [|discriminate Er]. injection Er as <-. cbn [fst snd]. split; [|apply decode_holds; exact Eb].
  destruct (decode_list_right _ _ _ _ W) as (ws' & -> & Fw). apply Forall2_map_left. revert Fw. apply Forall2_weaken. apply decode_holds.
Qed.
