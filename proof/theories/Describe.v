(** * The one network that a certificate describes

    The claims of a certificate's gates say every number of the network. Here it is written down; where every neuron belongs to a gate and the
    limit is high enough it passes, and no other network does. So whatever a compiler makes, if it is accepted, is this network. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers OneGate.
Import ListNotations.
Open Scope Z_scope.

(** ** The network that claims describe *)
Definition filled (c : claim) (n : nat) : list Z := map (fun j => c_slope c * total_at (c_totals c) (N.of_nat j)) (seq 0 n).
Definition claim_at (b : map_of claim) (i : nat) : claim := match get (N.of_nat i) b with Some c => c | None => Claim 0 0 none 0 end.
Definition described (b : map_of claim) (n w : nat) : list row := map (fun i => (filled (claim_at b i) n, c_bias (claim_at b i))) (seq 0 w).
Fixpoint description (bs : map_of (map_of claim)) (l : N) (n : nat) (sh : list (N * bool)) : network :=
  match sh with
  | [] => []
  | (w, a) :: sh' => Layer (described (bank_of l bs) n (N.to_nat w)) a :: description bs (N.succ l) (N.to_nat w) sh'
  end.

Lemma filled_passes c peaks : forall k sum, exists M, forall limit, M < limit ->
  check_row limit c (N.of_nat k) sum (map (fun j => c_slope c * total_at (c_totals c) (N.of_nat j)) (seq k (length peaks))) peaks = true.
Proof.
  induction peaks as [|p peaks IH]; intros k sum; cbn [length seq map check_row]; [exists sum; intros; apply Z.ltb_lt; assumption|].
  destruct (IH (S k) (sum + Z.abs (c_slope c * total_at (c_totals c) (N.of_nat k)) * p)) as [M H]. exists M. intros limit L.
  rewrite Z.eqb_refl. cbn [andb]. replace (N.succ (N.of_nat k)) with (N.of_nat (S k)) by lia. apply H. exact L.
Qed.
Lemma described_passes b peaks w : forall k found, (forall i, (i < k + w)%nat -> get (N.of_nat i) b <> None) ->
  exists M all, length all = (length found + w)%nat /\ forall limit, M < limit -> check_rows limit b peaks (N.of_nat k) found
    (map (fun i => (filled (claim_at b i) (length peaks), c_bias (claim_at b i))) (seq k w)) = Some all.
Proof.
  induction w as [|w IH]; intros k found G; cbn [seq map check_rows]; [exists 0, found; split; [lia|reflexivity]|].
  destruct (get (N.of_nat k) b) as [c|] eqn:E; [|destruct (G k ltac:(lia) E)].
  destruct (IH (S k) (c_peak c :: found)) as (M & all & L & H); [intros i I; apply G; lia|].
  assert (Q : claim_at b k = c) by (unfold claim_at; rewrite E; reflexivity). rewrite Q.
  destruct (filled_passes c peaks 0 (Z.abs (c_bias c))) as [M' H']. exists (Z.max M M'), all. cbn [length] in L. split; [lia|]. intros limit Li.
  rewrite Z.eqb_refl. unfold filled. change 0%N with (N.of_nat 0). rewrite H' by lia. cbn [andb].
  replace (N.succ (N.of_nat k)) with (N.of_nat (S k)) by lia. apply H. lia.
Qed.
(** Where every place is claimed, the network that the claims describe passes. *)
Theorem description_passes bs sh : forall k peaks,
  (forall j w a, nth_error sh j = Some (w, a) -> forall i, (i < N.to_nat w)%nat -> get (N.of_nat i) (bank_of (N.of_nat (S (k + j))) bs) <> None) ->
  exists M, forall limit, M < limit -> check_layers limit bs (N.of_nat (S k)) peaks (description bs (N.of_nat (S k)) (length peaks) sh) sh = true.
Proof.
  induction sh as [|[w a] sh IH]; intros k peaks G; cbn [description check_layers]; [exists 0; reflexivity|].
  destruct (described_passes (bank_of (N.of_nat (S k)) bs) peaks (N.to_nat w) 0 []) as (M & all & L & H).
  { intros i I. specialize (G 0%nat w a eq_refl i I). rewrite Nat.add_0_r in G. exact G. }
  destruct (IH (S k) (rev_append all [])) as [M' H'].
  { intros j w' a' E i I. specialize (G (S j) w' a' E i I). replace (k + S j)%nat with (S k + j)%nat in G by lia. exact G. }
  exists (Z.max M M'). intros limit Li. cbn [rows rectified]. unfold described. rewrite size_length, map_length, seq_length.
  replace (Z.of_N w =? Z.of_nat (N.to_nat w)) with true by (symmetry; apply Z.eqb_eq; lia). rewrite eqb_reflx. cbn [andb].
  change 0%N with (N.of_nat 0). rewrite H by lia. replace (N.succ (N.of_nat (S k))) with (N.of_nat (S (S k))) by lia.
  assert (Lr : N.to_nat w = length (rev_append all [])) by (rewrite rev_append_rev, app_nil_r, rev_length; cbn [length] in L; lia).
  rewrite Lr. apply H'. lia.
Qed.

(** ** One network to a certificate

    So what any compiler makes, if it is accepted, is the network that the certificate describes, number by number. *)
Lemma row_unique limit c : forall ws ws' i s s' peaks, check_row limit c i s ws peaks = true -> check_row limit c i s' ws' peaks = true -> ws = ws'.
Proof.
  induction ws as [|w ws IH]; intros [|w' ws'] i s s' [|p peaks] A A'; try discriminate A; try discriminate A'; [reflexivity|].
  cbn [check_row] in *. split_and. apply Z.eqb_eq in H, H1. f_equal; [congruence|]. eapply IH; eassumption.
Qed.
Lemma rows_unique limit b peaks : forall rs rs' i found all all', length rs = length rs' -> check_rows limit b peaks i found rs = Some all ->
  check_rows limit b peaks i found rs' = Some all' -> rs = rs' /\ all = all'.
Proof.
  induction rs as [|[ws u] rs IH]; intros [|[ws' u'] rs'] i found all all' L A A'; try discriminate L; cbn [check_rows] in *; [split; congruence|].
  destruct (get i b) as [c|]; [|discriminate A]. destruct (_ && _) eqn:T in A; [|discriminate A]. destruct (_ && _) eqn:T' in A'; [|discriminate A'].
  split_and. apply Z.eqb_eq in H, H1. injection L as L. destruct (IH _ _ _ _ _ L A A') as [-> ->]. split; [|reflexivity].
  rewrite (row_unique _ _ _ _ _ _ _ _ H2 H0). congruence.
Qed.
Lemma layers_unique limit bs : forall net net' l peaks sh, check_layers limit bs l peaks net sh = true -> check_layers limit bs l peaks net' sh = true -> net = net'.
Proof.
  induction net as [|ly net IH]; intros [|ly' net'] l peaks [|[w a] sh] A A'; try discriminate A; try discriminate A'; [reflexivity|].
  cbn [check_layers] in *. apply andb_prop in A, A'. destruct A as [A1 A2], A' as [B1 B2]. apply andb_prop in A1, B1. destruct A1 as [A0 A1], B1 as [B0 B1].
  destruct (check_rows _ _ _ _ _ (rows ly)) as [f|] eqn:R; [|discriminate A2].
  destruct (check_rows _ _ _ _ _ (rows ly')) as [f'|] eqn:R'; [|discriminate B2]. apply Z.eqb_eq in A0, B0. rewrite size_length in A0, B0.
  assert (L : length (rows ly) = length (rows ly')) by lia. destruct (rows_unique _ _ _ _ _ _ _ _ _ L R R') as [E ->]. apply eqb_prop in A1, B1. f_equal; [|eapply IH; eassumption].
  destruct ly as [r1 a1], ly' as [r2 a2]. cbn [rows rectified] in *. congruence.
Qed.
Theorem check_unique limit steps c net net' k k' : check_within limit steps c net = Some k -> check_within limit steps c net' = Some k' -> net = net' /\ k = k'.
Proof.
  unfold check_within. destruct (check_gates _ _ _ _ _) as [st|]; [|discriminate]. destruct (check_outputs _ _ _ _ _) as [outs|]; [|discriminate].
  destruct (_ && check_layers _ _ _ _ net _) eqn:A; [|discriminate]. destruct (_ && check_layers _ _ _ _ net' _) eqn:A'; [|discriminate].
  intros E E'. split_and. split; [eapply layers_unique; eassumption|congruence].
Qed.
