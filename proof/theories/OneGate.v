(** * One gate, without a network

    Facts about the parts of [check_gate] that need no network: evaluation at every count, the bounds that come out of it, the claims of neurons,
    and sums. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers.
Import ListNotations.
Open Scope Z_scope.

(** ** The gate at every count *)
Lemma reading_sum a g c : reading a g c = base g + zsum (map (fun n => coefficient n * response a n c) (neurons g)).
Proof.
  unfold reading. generalize (base g). induction (neurons g) as [|n ns IH]; intros v; cbn [fold_left map zsum]; [lia|]. rewrite IH. lia.
Qed.

Lemma try_counts_right limit a g w m c : try_counts limit a g w = (true, m) -> 0 <= c <= w ->
  0 <= reading a g c <= m /\ right limit (what g) (reading a g c) c w = true.
Proof.
  unfold try_counts. intros T C.
  assert (G : forall n, let '(k, good, t) := N.iter (N.of_nat n) (try_count limit a g w) (0, true, 0) in good = true ->
    k = Z.of_nat n /\ forall c, 0 <= c < Z.of_nat n -> 0 <= reading a g c <= t /\ right limit (what g) (reading a g c) c w = true).
  { induction n as [|n IH]; [cbn; intros _; split; [reflexivity|lia]|].
    rewrite Nat2N.inj_succ, N.iter_succ. destruct (N.iter (N.of_nat n) _ _) as [[k good] t]. unfold try_count.
    destruct good; [|discriminate]. destruct (IH eq_refl) as [-> A]. intros Q. split_and. apply Z.leb_le in H. split; [lia|].
    intros d D. destruct (Z.eq_dec d (Z.of_nat n)) as [->|N0]; [split; [lia|assumption]|]. destruct (A d) as [R Ri]; [lia|]. split; [lia|exact Ri]. }
  specialize (G (Z.to_nat (w + 1))). replace (N.of_nat (Z.to_nat (w + 1))) with (Z.to_N (w + 1)) in G by lia.
  destruct (N.iter _ _ _) as [[k good] t]. injection T as -> ->. apply (proj2 (G eq_refl)). lia.
Qed.

Lemma response_peak a w n c : 0 <= c <= w -> Z.abs (response a n c) <= peak a w n.
Proof.
  unfold peak, response, activate, relu. intros H.
  assert (Z.min 0 (slope n * w) <= slope n * c <= Z.max 0 (slope n * w))
    by (destruct (Z.le_gt_cases 0 (slope n)); [rewrite Z.min_l, Z.max_r|rewrite Z.min_r, Z.max_l]; nia).
  rewrite Z.mul_0_r. destruct a; lia.
Qed.
Lemma b2z_range b : 0 <= Z.b2z b <= 1.
Proof. destruct b; cbn; lia. Qed.

(** ** Claims *)
Lemma bank_put l m b bs : bank_of l (put m b bs) = if N.eqb m l then b else bank_of l bs.
Proof. unfold bank_of. rewrite get_put. destruct (N.eqb m l); reflexivity. Qed.

(** Banks only grow. *)
Definition extends (a b : map_of (map_of claim)) : Prop := forall l i c, get i (bank_of l a) = Some c -> get i (bank_of l b) = Some c.

Lemma add_claims_right limit a width t ns : forall b b', add_claims limit a width t ns b = Some b' ->
  (forall i c, get i b = Some c -> get i b' = Some c) /\
  (forall n, In n ns -> (place n < width)%N /\
     get (place n) b' = Some (Claim (slope n) (slope n * t_base t + offset n) (t_totals t) (peak a (t_most t) n))) /\
  (forall i c, get i b' = Some c -> get i b = Some c \/ exists n, In n ns /\ i = place n /\ (i < width)%N).
Proof.
  induction ns as [|n ns IH]; intros b b' C; cbn [add_claims] in C.
  - injection C as <-. split; [auto|]. split; [intros n []|auto].
  - destruct (get (place n) b) eqn:G; [discriminate C|].
    destruct ((place n <? width)%N && _) eqn:T; [|discriminate C]. split_and. apply N.ltb_lt in H.
    apply IH in C. destruct C as (E & I & O). split; [|split].
    + intros i c Gi. apply E. rewrite get_put. destruct (N.eqb_spec (place n) i) as [<-|]; [congruence|exact Gi].
    + intros m [<-|Im]; [|apply I; exact Im]. split; [exact H|]. apply E. rewrite get_put, N.eqb_refl. reflexivity.
    + intros i c Gi. destruct (O i c Gi) as [Gp|(m & Im & Q)]; [|right; exists m; split; [right; exact Im|exact Q]].
      rewrite get_put in Gp. destruct (N.eqb_spec (place n) i) as [<-|]; [|left; exact Gp].
      right. exists n. split; [left; reflexivity|]. split; [reflexivity|exact H].
Qed.

(** ** Lists of coefficients and literals *)
Lemma weigh_pushed {A} f (place_of : A -> N) (coef_of : A -> Z) l : forall ps,
  weigh f (fold_left (fun ps a => (place_of a, coef_of a) :: ps) l ps) = weigh f ps + zsum (map (fun a => coef_of a * f (place_of a)) l).
Proof.
  induction l as [|a l IH]; intros ps; cbn [fold_left map zsum]; [lia|]. rewrite IH. unfold weigh. cbn [map zsum fst snd]. lia.
Qed.
Lemma whole_rev_append a b : whole (rev_append a b) = whole a + whole b.
Proof.
  rewrite rev_append_rev. unfold whole. rewrite map_app, zsum_app. f_equal.
  induction a as [|l a IH]; [reflexivity|]. cbn [rev]. rewrite map_app, zsum_app, IH. cbn [map zsum]. lia.
Qed.
Lemma Forall_rev_append {A} (P : A -> Prop) a b : Forall P a -> Forall P b -> Forall P (rev_append a b).
Proof. intros Fa Fb. rewrite rev_append_rev. apply Forall_app. split; [apply Forall_rev; exact Fa|exact Fb]. Qed.

Lemma signed_twice p q v : signed q (signed p v) = signed (eqb p q) v.
Proof. destruct p, q; cbn [signed eqb]; lia. Qed.

Lemma resolve_sum k alone ms ls o ms' ls' : resolve k alone ms ls o = Some (ms', ls', true) -> relaying k = true.
Proof.
  unfold resolve. destruct (meaning_of ms (reads o)) as [[s p []|of|of|]|]; intros R; try discriminate R.
  - destruct (relaying k); [reflexivity|discriminate R].
  - destruct (_ && _) in R; discriminate R.
  - destruct (_ && _) in R; discriminate R.
Qed.
Lemma resolve_all_sum k alone os : forall ms ls sum ms' ls' sum', resolve_all k alone ms ls sum os = Some (ms', ls', sum') ->
  (sum' = true -> sum = true \/ relaying k = true) /\ (sum' = false -> sum = false).
Proof.
  induction os as [|o os IH]; intros ms ls sum ms' ls' sum' R; cbn [resolve_all] in R; [injection R as _ _ <-; auto|].
  destruct (resolve k alone ms ls o) as [[[ms1 ls1] s1]|] eqn:E; [|discriminate R]. destruct (IH _ _ _ _ _ _ R) as [T F]. split.
  - intros Q. destruct (T Q) as [O|]; [|auto]. destruct s1; [right; exact (resolve_sum _ _ _ _ _ _ _ E)|].
    rewrite orb_false_r in O. auto.
  - intros Q. apply F in Q. apply orb_false_iff in Q. tauto.
Qed.
