(** * The file is what the gates claim

    [check_layers] compares every number of the file with the claim of the neuron that it belongs to. Here is what follows: each
    neuron computes its claim, and the peaks of a layer are those of its claims. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check.
Import ListNotations.
Open Scope Z_scope.

Ltac split_and := repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.

Lemma size_length {A} (l : list A) : size l = Z.of_nat (length l).
Proof.
  unfold size. assert (G : forall n, fold_left (fun n _ => n + 1) l n = n + Z.of_nat (length l)).
  { induction l as [|a l IH]; intros n; cbn [fold_left length]; [lia|]. rewrite IH. lia. }
  rewrite G. lia.
Qed.

Lemma number_get {A} (l : list A) : forall i m j, get j (number i m l)
  = if (j <? i)%N then get j m else match nth_error l (N.to_nat (j - i)) with Some a => Some a | None => get j m end.
Proof.
  induction l as [|a l IH]; intros i m j; cbn [number].
  - destruct (j <? i)%N; [reflexivity|]. destruct (N.to_nat (j - i)); reflexivity.
  - rewrite IH, get_put. destruct (N.ltb_spec j (N.succ i)), (N.ltb_spec j i); try lia.
    + destruct (N.eqb_spec i j); [lia|reflexivity].
    + assert (j = i) as -> by lia. rewrite N.eqb_refl, N.sub_diag. reflexivity.
    + replace (N.to_nat (j - i)) with (S (N.to_nat (j - N.succ i))) by lia. cbn [nth_error].
      destruct (N.eqb_spec i j); [lia|reflexivity].
Qed.
Lemma number_from_one {A} (l : list A) j a : get j (number 1 none l) = Some a -> (1 <= j)%N /\ nth_error l (pred (N.to_nat j)) = Some a.
Proof.
  rewrite number_get, get_none. destruct (N.ltb_spec j 1); [discriminate|].
  replace (N.to_nat (j - 1)) with (pred (N.to_nat j)) by lia. destruct (nth_error l _); [|discriminate]. split; [lia|assumption].
Qed.

(** A row that passes holds the claim's weights, and its terms stay below the limit. *)
Fixpoint absdot (w x : list Z) : Z := match w, x with a :: w', b :: x' => Z.abs (a * b) + absdot w' x' | _, _ => 0 end.

Lemma check_row_right limit c ws : forall i sum peaks x, check_row limit c i sum ws peaks = true ->
  Forall2 (fun v p => Z.abs v <= p) x peaks ->
  dot ws x = c_slope c * dot_from (total_at (c_totals c)) i x /\ sum + absdot ws x < limit.
Proof.
  induction ws as [|w ws IH]; intros i sum peaks x C F; destruct peaks as [|p peaks]; try discriminate C;
    inversion F as [|v q x' ps L F']; subst; cbn [check_row dot dot_from absdot] in *.
  - apply Z.ltb_lt in C. lia.
  - split_and. apply Z.eqb_eq in H. subst w. destruct (IH _ _ _ _ H0 F') as [D S]. rewrite D. split; [lia|].
    rewrite Z.abs_mul. nia.
Qed.
Lemma check_row_length limit c ws : forall i sum peaks, check_row limit c i sum ws peaks = true -> length ws = length peaks.
Proof.
  induction ws as [|w ws IH]; intros i sum [|p peaks] C; try discriminate C; [reflexivity|].
  cbn [check_row] in C. split_and. cbn [length]. f_equal. eapply IH. eassumption.
Qed.
(** The same without bounds, as long as there is a value for each weight. *)
Lemma check_row_dot limit c ws : forall i sum peaks x, check_row limit c i sum ws peaks = true -> length x = length peaks ->
  dot ws x = c_slope c * dot_from (total_at (c_totals c)) i x.
Proof.
  induction ws as [|w ws IH]; intros i sum peaks x C L; destruct peaks as [|p peaks]; try discriminate C;
    destruct x as [|v x]; try discriminate L; cbn [check_row dot dot_from length] in *; [lia|].
  split_and. apply Z.eqb_eq in H. subst w. rewrite (IH _ _ _ x H0) by lia. lia.
Qed.

(** Row [i] of a layer has its claim. *)
Definition row_claimed (limit : Z) (bank : map_of claim) (peaks : list Z) (i : nat) (r : row) : Prop :=
  exists c, get (N.of_nat i) bank = Some c /\ snd r = c_bias c /\ check_row limit c 0 (Z.abs (snd r)) (fst r) peaks = true.

Lemma check_rows_right limit bank peaks rs : forall k found all, check_rows limit bank peaks (N.of_nat k) found rs = Some all ->
  (forall i r, nth_error rs i = Some r -> row_claimed limit bank peaks (k + i) r) /\
  exists new, rev_append all [] = rev found ++ new /\ length new = length rs /\
    forall i p, nth_error new i = Some p -> exists c, get (N.of_nat (k + i)) bank = Some c /\ p = c_peak c.
Proof.
  induction rs as [|[ws b] rs IH]; intros k found all C; cbn [check_rows] in C.
  - injection C as <-. split; [intros [|i] r E; discriminate E|]. exists []. rewrite rev_append_rev. repeat split.
    intros [|i] p E; discriminate E.
  - destruct (get (N.of_nat k) bank) as [c|] eqn:G; [|discriminate C].
    destruct ((b =? c_bias c) && _) eqn:T; [|discriminate C]. split_and. apply Z.eqb_eq in H.
    replace (N.succ (N.of_nat k)) with (N.of_nat (S k)) in C by lia. apply IH in C. destruct C as [R (new & E & L & P)]. split.
    + intros [|i] r Er; cbn [nth_error] in Er.
      * injection Er as <-. rewrite Nat.add_0_r. exists c. repeat split; assumption.
      * replace (k + S i)%nat with (S k + i)%nat by lia. apply R. exact Er.
    + exists (c_peak c :: new). cbn [rev] in E. rewrite <- app_assoc in E. split; [exact E|]. split; [cbn [length]; lia|].
      intros [|i] p Ep; cbn [nth_error] in Ep.
      * injection Ep as <-. exists c. rewrite Nat.add_0_r. split; [exact G|reflexivity].
      * replace (k + S i)%nat with (S k + i)%nat by lia. apply P. exact Ep.
Qed.

(** What holds of layer [k] of the network, counted from 0, after [check_layers]: its claims are in bank [k + 1]. *)
Record layer_claimed (limit : Z) (bs : map_of (map_of claim)) (k : nat) (peaks : list Z) (ly : layer) (sh : N * bool) : Prop := {
  lc_width : N.to_nat (fst sh) = length (rows ly);
  lc_act : rectified ly = snd sh;
  lc_rows : forall i r, nth_error (rows ly) i = Some r -> row_claimed limit (bank_of (N.of_nat (S k)) bs) peaks i r }.
(** [peaks] are those of the claims in bank [k]. *)
Definition peaks_of (bs : map_of (map_of claim)) (k : nat) (peaks : list Z) : Prop :=
  forall i p, nth_error peaks i = Some p -> exists c, get (N.of_nat i) (bank_of (N.of_nat k) bs) = Some c /\ p = c_peak c.

Lemma check_layers_right limit bs net : forall k peaks sh, check_layers limit bs (N.of_nat (S k)) peaks net sh = true ->
  length net = length sh /\
  forall j ly, nth_error net j = Some ly -> exists s ps, nth_error sh j = Some s /\ layer_claimed limit bs (k + j) ps ly s /\
    match j with
    | O => ps = peaks
    | S j' => peaks_of bs (k + j) ps /\ exists lp, nth_error net j' = Some lp /\ length ps = length (rows lp)
    end.
Proof.
  induction net as [|ly net IH]; intros k peaks [|[w a] sh] C; try discriminate C.
  - split; [reflexivity|]. intros [|j] l E; discriminate E.
  - cbn [check_layers] in C. destruct (check_rows _ _ _ _ _ _) as [found|] eqn:R; [|rewrite andb_false_r in C; discriminate C].
    split_and. change 0%N with (N.of_nat 0) in R. destruct (check_rows_right _ _ _ _ _ _ _ R) as [RR (new & E & L & P)].
    cbn [rev app] in E. rewrite E in H0.
    replace (N.succ (N.of_nat (S k))) with (N.of_nat (S (S k))) in H0 by lia.
    apply Z.eqb_eq in H. rewrite size_length in H. apply eqb_prop in H1. destruct (IH _ _ _ H0) as [LL J].
    split; [cbn [length]; lia|]. intros [|j] l El; cbn [nth_error] in El.
    + injection El as <-. exists (w, a), peaks. rewrite Nat.add_0_r. repeat split; cbn [fst snd]; [lia|exact H1|exact RR].
    + destruct (J j l El) as (s & ps & Es & Cl & Ps). exists s, ps. replace (k + S j)%nat with (S k + j)%nat by lia.
      split; [exact Es|]. split; [exact Cl|]. destruct j as [|j'].
      * subst ps. split; [|exists ly; split; [reflexivity|exact L]].
        intros i p Ei. destruct (P i p Ei) as (c & G & Q). exists c. rewrite Nat.add_0_r. split; assumption.
      * exact Ps.
Qed.
