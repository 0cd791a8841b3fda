(** * What [check] accepts is true

    For every certificate and network that [check] accepts, whatever the depth and the number of outputs, the network computes
    the circuit at all points of the cube, and no sum of a neuron's terms reaches the limit. The file holds the claims (Layers.v), so the signals are
    right along the gates (Along.v), and the outputs are signals. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers OneGate Along.
Import ListNotations.
Open Scope Z_scope.

Lemma ones_length B : length (N.iter B (cons 1) []) = N.to_nat B.
Proof. induction B using N.peano_ind; [reflexivity|]. rewrite N.iter_succ, N2Nat.inj_succ. cbn [length]. rewrite IHB. reflexivity. Qed.
Lemma ones_all B : Forall (fun p => p = 1) (N.iter B (cons 1) []).
Proof. induction B using N.peano_ind; [constructor|]. rewrite N.iter_succ. constructor; [reflexivity|exact IHB]. Qed.

Section Whole.
Variables (limit steps : Z) (c : certificate) (net : network) (k : circuit).
Hypothesis accepted : check_within limit steps c net = Some k.
Variable x : list bool.
Hypothesis width_of_x : length x = N.to_nat (cube c).
Let xs := point x.

Lemma state_length_layer l ly : nth_error net l = Some ly -> length (state net (S l) xs) = length (rows ly).
Proof. intros E. rewrite (state_succ _ _ _ _ E). apply map_length. Qed.

(** The output vector, and every neuron's terms. *)
Theorem check_within_sound : eval net xs = compute k x /\
  forall l ly r, nth_error net l = Some ly -> In r (rows ly) ->
    length (fst r) = length (state net l xs) /\ absdot (fst r) (state net l xs) + Z.abs (snd r) < limit.
Proof.
  revert accepted. unfold check_within. destruct (check_gates _ _ _ _ _) as [st|] eqn:G; [|discriminate].
  destruct (check_outputs _ _ _ _ _) as [outs|] eqn:O; [|discriminate]. destruct (_ && _) eqn:T; [|discriminate].
  intros E. injection E as <-. split_and. apply Z.eqb_eq in H. rewrite size_length in H.
  change 1%N with (N.of_nat 1) in H0 at 1. destruct (check_layers_right _ _ _ _ _ _ H0) as [Len Lay]. cbn [Nat.add] in Lay.
  assert (Pl : placed (number 1 none (shape c)) (banks st)).
  { apply (proj2 (check_gates_grow _ _ _ _ _ _ G)). intros l i cl Q. exfalso. unfold bank_of, begin in Q. cbn [banks] in Q.
    rewrite !get_none in Q. discriminate Q. }
  (* Each layer reads as many values as there are peaks. *)
  assert (Pk : forall l ly, nth_error net l = Some ly -> exists s ps, nth_error (shape c) l = Some s /\
    layer_claimed limit (banks st) l ps ly s /\ length ps = length (state net l xs) /\
    match l with O => Forall (fun p => p = 1) ps | S _ => peaks_of (banks st) l ps end).
  { intros l ly E. destruct (Lay l ly E) as (s & ps & Es & Cl & P). exists s, ps. split; [exact Es|]. split; [exact Cl|].
    destruct l as [|l].
    - subst ps. rewrite ones_length. split; [|apply ones_all]. unfold state. cbn [firstn eval fold_left]. unfold xs, point.
      rewrite map_length, width_of_x. reflexivity.
    - destruct P as (P & lp & Ep & Lp). split; [|exact P]. rewrite (state_length_layer _ _ Ep). exact Lp. }
  assert (Fi : filed (number 1 none (shape c)) net x (banks st)).
  { intros l i cl w a Gc Gl. apply number_from_one in Gl. destruct Gl as [L1 Es].
    destruct (Pl _ _ _ Gc) as (w' & a' & Gl' & Iw & _). apply number_from_one in Gl'. destruct Gl' as [_ Es']. rewrite Es in Es'. injection Es' as <- <-.
    destruct (nth_error net (pred (N.to_nat l))) as [ly|] eqn:E.
    2:{ apply nth_error_None in E. assert (nth_error (shape c) (pred (N.to_nat l)) <> None) as Q by congruence. apply nth_error_Some in Q. lia. }
    destruct (Pk _ _ E) as (s & ps & Es2 & [Cw Ca Cr] & Lp & _). rewrite Es in Es2. injection Es2 as <-. cbn [fst snd] in *.
    destruct (nth_error (rows ly) (N.to_nat i)) as [r|] eqn:Er; [|apply nth_error_None in Er; lia].
    destruct (Cr _ _ Er) as (cl' & Gc' & Sb & Ck). replace (N.of_nat (S (pred (N.to_nat l)))) with l in Gc' by lia.
    rewrite N2Nat.id, Gc in Gc'. injection Gc' as <-. unfold at_.
    replace (N.to_nat l) with (S (pred (N.to_nat l))) by lia. rewrite (state_succ _ _ _ _ E). unfold eval_layer.
    rewrite (nth_error_nth _ _ 0 (map_nth_error _ _ _ Er)). unfold fire. rewrite Ca, Sb.
    replace (N.to_nat (N.pred l)) with (pred (N.to_nat l)) by lia. rewrite (check_row_dot _ _ _ _ _ _ _ Ck) by (symmetry; exact Lp). reflexivity. }
  assert (So : sound net x st).
  { apply (check_gates_sound limit (cube c) (number 1 none (shape c)) net x) with (gs := claimed c) (st := begin steps); [exact Fi| |exact G].
    constructor; [reflexivity| |].
    - intros g s Q. cbn [begin signals] in Q. rewrite get_none in Q. discriminate Q.
    - intros l i cl Q. unfold bank_of, begin in Q. cbn [banks] in Q. rewrite !get_none in Q. discriminate Q. }
  split.
  - destruct (check_outputs_right net x _ _ _ So _ _ _ O) as (new & -> & Ln & V). cbn [rev app] in *.
    assert (D : Z.to_N (size (shape c)) = N.of_nat (length net)) by (rewrite size_length; lia). rewrite D in V.
    assert (W : length (eval net xs) = length (answered c)).
    { rewrite <- state_all. unfold last_width in H. rewrite rev_append_rev, app_nil_r in H. clear -H Len Lay width_of_x.
      destruct net as [|ly0 net0] eqn:En using rev_ind.
      - destruct (shape c); [|discriminate Len]. cbn [rev] in H. cbn [length]. unfold state. cbn [firstn eval fold_left]. unfold xs, point. rewrite map_length. lia.
      - clear IHnet0. rewrite app_length, Nat.add_1_r.
        assert (E : nth_error (net0 ++ [ly0]) (length net0) = Some ly0) by (rewrite nth_error_app2, Nat.sub_diag by lia; reflexivity).
        destruct (Lay _ _ E) as (s & ps & Es & [Cw _ _] & _). rewrite (state_succ _ _ _ _ E). unfold eval_layer. rewrite map_length, <- Cw.
        rewrite app_length, Nat.add_1_r in Len. destruct (shape c) as [|s1 sh _] using rev_ind; [discriminate Len|].
        rewrite app_length, Nat.add_1_r in Len. rewrite rev_app_distr in H. cbn [rev app] in H. injection Len as Len.
        rewrite nth_error_app2 in Es by lia. rewrite Len, Nat.sub_diag in Es. injection Es as <-. destruct s1 as [w a]. cbn [fst]. lia. }
    unfold compute. cbn [gates outputs]. fold xs. rewrite rev_append_rev, app_nil_r.
    apply nth_ext with (d := 0) (d' := literal_value xs (values xs (rev (made st))) (Literal (Input 0) true 0)); [rewrite map_length; lia|].
    intros i I. rewrite map_nth. rewrite W in I. destruct (nth_error new i) as [l|] eqn:El; [|apply nth_error_None in El; lia].
    rewrite (nth_error_nth _ _ _ El). unfold made_values in V. fold xs in V. rewrite (V i l El). unfold at_.
    rewrite N.add_0_l, !Nat2N.id, state_all. reflexivity.
  - intros l ly r E I. destruct (Pk _ _ E) as (s & ps & Es & [Cw Ca Cr] & Lp & P). apply In_nth_error in I. destruct I as [i Er].
    destruct (Cr _ _ Er) as (cl & Gc & Sb & Ck). split; [rewrite <- Lp; eapply check_row_length; exact Ck|].
    assert (F : Forall2 (fun v p => Z.abs v <= p) (state net l xs) ps).
    { assert (Q : forall j v p, nth_error (state net l xs) j = Some v -> nth_error ps j = Some p -> Z.abs v <= p).
      { intros j v p Ev Ep. destruct l as [|l].
        - rewrite Forall_forall in P. rewrite (P p) by (eapply nth_error_In; exact Ep).
          unfold state in Ev. cbn [firstn eval fold_left] in Ev. unfold xs, point in Ev. apply nth_error_In in Ev. apply in_map_iff in Ev.
          destruct Ev as ([] & <- & _); cbn; lia.
        - destruct (P j p Ep) as (cp & Gp & ->). pose proof (s_peaks _ _ _ So _ _ _ Gp) as Q. unfold at_ in Q. rewrite !Nat2N.id in Q.
          fold xs in Q. rewrite (nth_error_nth _ _ _ Ev) in Q. exact Q. }
      clear -Q Lp. revert ps Lp Q. induction (state net l xs) as [|v vs IH]; intros [|p ps] L Q; try discriminate L; constructor.
      - exact (Q 0%nat v p eq_refl eq_refl).
      - apply IH; [injection L as L; exact L|]. intros j. exact (Q (S j)). }
    pose proof (check_row_right _ _ _ _ _ _ _ Ck F) as [_ S]. lia.
Qed.
End Whole.
