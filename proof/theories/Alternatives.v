(** * Other networks for an XOR: Appendix F.3

    Depth can be traded for width. Proposition [prop:telgarsky-xor-realization]: width two and depth 2 ceil(log2 r), by composing a triangle map.
    Proposition [prop:depth-parameterized-xor]: depth at most 2d, width at most r and at most 2dr neurons, from XORs of arity at most q where
    q^d is at least r. *)
From Coq Require Import ZArith List Lia Bool Reals Lra.
From Macchiato Require Import Network Gates Paper.
Import ListNotations.
Open Scope Z_scope.

(** ** XORs of XORs *)
(** [n] signals in groups of [q], the last one maybe smaller. *)
Fixpoint sizes (fuel q n : nat) : list nat :=
  match fuel, n with S fuel', S _ => Nat.min q n :: sizes fuel' q (n - q) | _, _ => [] end.
Fixpoint split (ss : list nat) (l : list bool) : list (list bool) :=
  match ss with [] => [] | s :: ss' => firstn s l :: split ss' (skipn s l) end.
Fixpoint total (ss : list nat) : nat := match ss with [] => 0%nat | s :: ss' => (s + total ss')%nat end.

Lemma sizes_total q : (0 < q)%nat -> forall fuel n, (n <= fuel)%nat -> total (sizes fuel q n) = n.
Proof.
  intros Q. induction fuel as [|fuel IH]; intros [|n] H; cbn [sizes total]; try lia. rewrite IH by lia. lia.
Qed.
Lemma sizes_few q m : (0 < q)%nat -> forall fuel n, (n <= q * m)%nat -> (length (sizes fuel q n) <= m)%nat.
Proof.
  intros Q. induction m as [|m IH]; intros [|fuel] [|n] H; cbn [sizes length]; try lia. specialize (IH fuel (S n - q)%nat). lia.
Qed.
Lemma sizes_some q fuel n : (0 < n)%nat -> (n <= fuel)%nat -> (1 <= length (sizes fuel q n))%nat.
Proof. destruct fuel, n; cbn [sizes length]; lia. Qed.
Lemma sizes_small q : forall fuel n, Forall (fun s => (s <= q)%nat) (sizes fuel q n).
Proof. induction fuel as [|fuel IH]; intros [|n]; cbn [sizes]; constructor; [lia|apply IH]. Qed.
Lemma sizes_fewer q : (0 < q)%nat -> forall fuel n, (length (sizes fuel q n) <= n)%nat.
Proof. intros Q fuel n. apply sizes_few; [exact Q|nia]. Qed.
Lemma split_right ss : forall l, total ss = length l -> concat (split ss l) = l /\ map (@length bool) (split ss l) = ss.
Proof.
  induction ss as [|s ss IH]; intros l T; cbn [split concat map total] in *; [destruct l; [split; reflexivity|discriminate T]|].
  destruct (IH (skipn s l)) as [C L]; [rewrite skipn_length; lia|]. rewrite C, L, firstn_skipn, firstn_length. split; [reflexivity|]. f_equal. lia.
Qed.
Lemma parity_app a b : parity (a ++ b) = xorb (parity a) (parity b).
Proof. unfold parity. induction a as [|c a IH]; cbn [app fold_right]; [destruct (fold_right _ _ b); reflexivity|]. rewrite IH. symmetry. apply xorb_assoc. Qed.
Lemma parity_of_parities gs : parity (map parity gs) = parity (concat gs).
Proof.
  induction gs as [|g gs IH]; [reflexivity|]. cbn [map concat]. rewrite parity_app, <- IH. reflexivity.
Qed.

(** One round: a flat XOR for each group, side by side. *)
Fixpoint hidden_rows (n off : nat) (ss : list nat) : list row :=
  match ss with
  | [] => []
  | s :: ss' => map (fun k => neuron n (map (fun i => (i, 1)) (seq off s)) (- Z.of_nat k)) (seq 0 s) ++ hidden_rows n (off + s) ss'
  end.
Fixpoint group_rows (n off : nat) (ss : list nat) : list row :=
  match ss with
  | [] => []
  | s :: ss' => neuron n (map (fun k => ((off + k)%nat, bend odd k)) (seq 0 s)) 0 :: group_rows n (off + s) ss'
  end.
Definition round (n : nat) (ss : list nat) : network := [Layer (hidden_rows n 0 ss) true; Layer (group_rows n 0 ss) true].
Definition bent (g : list bool) : list Z := map (fun k => relu (ones g - Z.of_nat k)) (seq 0 (length g)).

Lemma gives_range (f : nat -> nat -> Z) pre l post : forall off, off = length pre ->
  gives (pre ++ l ++ post) (map (fun k => ((off + k)%nat, f off k)) (seq 0 (length l)))
  = zsum (map (fun k => f off k * nth k l 0) (seq 0 (length l))).
Proof.
  intros off ->. unfold gives. rewrite map_map. f_equal. apply map_ext_in. intros k H. apply in_seq in H. cbn [fst snd]. f_equal.
  rewrite app_nth2 by lia. replace (length pre + k - length pre)%nat with k by lia. apply app_nth1. lia.
Qed.
Lemma sum_nth (l : list Z) : zsum (map (fun k => 1 * nth k l 0) (seq 0 (length l))) = zsum l.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [length seq map zsum nth]. rewrite <- seq_shift, map_map. cbn [nth]. rewrite IH. lia.
Qed.
Lemma hidden_layer gs : forall pre post, map (fire true (point (pre ++ concat gs ++ post)))
    (hidden_rows (length (pre ++ concat gs ++ post)) (length pre) (map (@length bool) gs)) = flat_map bent gs.
Proof.
  induction gs as [|g gs IH]; intros pre post; [reflexivity|]. cbn [map hidden_rows concat flat_map]. rewrite map_app. f_equal.
  - rewrite map_map. unfold bent. apply map_ext. intros k. rewrite fire_neuron by (unfold point; apply map_length).
    cbn [activate]. unfold Z.sub. f_equal. f_equal. unfold point. rewrite <- app_assoc, !map_app.
    assert (S : map (fun i => (i, 1)) (seq (length pre) (length g)) = map (fun k => ((length pre + k)%nat, (fun _ _ => 1) (length pre) k)) (seq 0 (length g))).
    { generalize (length pre). intros o. generalize (length g). clear. intros m. rewrite <- (Nat.add_0_r o) at 1. generalize 0%nat.
      induction m as [|m IH]; intros k; cbn [seq map]; [reflexivity|]. f_equal. rewrite <- Nat.add_succ_r. apply IH. }
    rewrite S, <- (map_length Z.b2z g), (gives_range (fun _ _ => 1)) by (rewrite map_length; reflexivity). apply sum_nth.
  - specialize (IH (pre ++ g) post). rewrite <- app_assoc, (app_length pre g) in IH. rewrite <- app_assoc. exact IH.
Qed.
Lemma group_layer gs : forall pre post, map (fire true (pre ++ flat_map bent gs ++ post))
    (group_rows (length (pre ++ flat_map bent gs ++ post)) (length pre) (map (@length bool) gs)) = map (fun g => Z.b2z (parity g)) gs.
Proof.
  induction gs as [|g gs IH]; intros pre post; [reflexivity|]. cbn [map group_rows flat_map]. f_equal.
  - rewrite fire_neuron by reflexivity. assert (L : length (bent g) = length g) by (unfold bent; rewrite map_length; apply seq_length).
    rewrite <- app_assoc, <- L, (gives_range (fun _ k => bend odd k)) by reflexivity. rewrite L, Z.add_0_r. cbn [activate]. rewrite <- xor_module. f_equal.
    unfold bends, bent. f_equal. apply map_ext_in. intros k H. apply in_seq in H. f_equal.
    rewrite nth_indep with (d' := (fun k => relu (ones g - Z.of_nat k)) O) by (rewrite map_length, seq_length; lia).
    rewrite (map_nth (fun k => relu (ones g - Z.of_nat k))), seq_nth by lia. reflexivity.
  - specialize (IH (pre ++ bent g) post). rewrite <- app_assoc, (app_length pre (bent g)) in IH. rewrite <- app_assoc.
    assert (L : length (bent g) = length g) by (unfold bent; rewrite map_length; apply seq_length). rewrite L in IH. exact IH.
Qed.
Lemma round_right gs : eval (round (length (concat gs)) (map (@length bool) gs)) (point (concat gs)) = point (map parity gs).
Proof.
  unfold round, eval. cbn [fold_left]. unfold eval_layer at 2. cbn [rows rectified].
  pose proof (hidden_layer gs [] []) as H. cbn [app length] in H. rewrite !app_nil_r in H. rewrite H.
  assert (L : length (flat_map bent gs) = length (concat gs)).
  { clear. induction gs as [|g gs IH]; [reflexivity|]. cbn [flat_map concat]. rewrite !app_length, IH. f_equal. unfold bent. rewrite map_length. apply seq_length. }
  pose proof (group_layer gs [] []) as G. cbn [app length] in G. rewrite !app_nil_r, L in G. unfold eval_layer. cbn [rows rectified]. rewrite G.
  unfold point. rewrite map_map. reflexivity.
Qed.

(** [d] rounds. *)
Fixpoint rounds (d q n : nat) : network :=
  match d with O => [] | S d' => let ss := sizes n q n in round n ss ++ rounds d' q (length ss) end.

Lemma rounds_right q : (0 < q)%nat -> forall d a, (length a <= q ^ d)%nat -> a <> [] -> eval (rounds d q (length a)) (point a) = [Z.b2z (parity a)].
Proof.
  intros Q. induction d as [|d IH]; intros a H N.
  - destruct a as [|b [|c a]]; [contradiction| |cbn in H; lia]. cbn. destruct b; reflexivity.
  - cbn [rounds]. set (ss := sizes (length a) q (length a)).
    destruct (split_right ss a) as [C L]; [apply sizes_total; lia|]. unfold eval. rewrite fold_left_app.
    pose proof (round_right (split ss a)) as R. rewrite C, L in R. unfold eval in R. rewrite R.
    assert (Ls : length (map parity (split ss a)) = length ss) by (rewrite <- L at 2; rewrite !map_length; reflexivity).
    fold (eval (rounds d q (length ss)) (point (map parity (split ss a)))). rewrite <- Ls, IH.
    + rewrite parity_of_parities, C. reflexivity.
    + rewrite Ls. apply sizes_few; [exact Q|]. cbn [Nat.pow] in H. lia.
    + intros E. rewrite E in Ls. cbn [length] in Ls. pose proof (sizes_some q (length a) (length a)) as S. fold ss in S.
      destruct a; [contradiction|]. cbn [length] in S, Ls. lia.
Qed.

Definition neurons (n : network) : nat := total (map (fun l => length (rows l)) n).
Lemma hidden_width n ss : forall off, length (hidden_rows n off ss) = total ss.
Proof. induction ss as [|s ss IH]; intros off; cbn [hidden_rows total]; [reflexivity|]. rewrite app_length, IH, map_length, seq_length. reflexivity. Qed.
Lemma group_width n ss : forall off, length (group_rows n off ss) = length ss.
Proof. induction ss as [|s ss IH]; intros off; cbn [group_rows length]; [reflexivity|]. rewrite IH. reflexivity. Qed.

(** The whole proposition. Every [q] with [q^d >= r] will do; the paper's ceil(r^(1/d)) is the least. *)
Theorem depth_parameterized_xor d q r : (0 < q)%nat -> (r <= q ^ d)%nat -> (0 < r)%nat ->
  (forall a, length a = r -> eval (rounds d q r) (point a) = [Z.b2z (parity a)]) /\
  length (rounds d q r) = (2 * d)%nat /\ Forall (fun l => (length (rows l) <= r)%nat) (rounds d q r) /\ (neurons (rounds d q r) <= 2 * d * r)%nat.
Proof.
  intros Q H R. split; [intros a <-; apply rounds_right; auto; destruct a; [cbn in R; lia|discriminate]|]. clear H R. revert r.
  induction d as [|d IH]; intros r; cbn [rounds]; [repeat split; constructor|]. set (ss := sizes r q r).
  assert (W : (length ss <= r)%nat) by (apply sizes_fewer; exact Q). assert (T : total ss = r) by (apply sizes_total; lia).
  destruct (IH (length ss)) as (L & F & N). unfold round. cbn [app length]. rewrite L. split; [lia|]. split.
  - constructor; [cbn [rows]; rewrite hidden_width; lia|]. constructor; [cbn [rows]; rewrite group_width; lia|].
    revert F. apply Forall_impl. intros l. lia.
  - unfold neurons in *. cbn [map rows total]. rewrite hidden_width, group_width. nia.
Qed.
Theorem local_arity q r : Forall (fun s => (s <= q)%nat) (sizes r q r).
Proof. apply sizes_small. Qed.

(** ** The triangle map, over the reals *)
Open Scope R_scope.
Definition sigma (u : R) : R := Rmax 0 u.
Definition triangle (x : R) : R := sigma (2 * sigma x - 4 * sigma (x - / 2)).
Lemma triangle_folds x : 0 <= x <= 1 -> triangle x = Rmin (2 * x) (2 - 2 * x).
Proof. intros H. unfold triangle, sigma, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.

Lemma iter_succ_r {A} n (f : A -> A) x : Nat.iter (S n) f x = Nat.iter n f (f x).
Proof. induction n as [|n IH]; [reflexivity|]. change (f (Nat.iter (S n) f x) = f (Nat.iter n f (f x))). rewrite IH. reflexivity. Qed.

(** Lemma [lem:triangle-dyadic-parity]. *)
Theorem dyadic_parity k : forall s : Z, (0 <= s <= 2 ^ Z.of_nat k)%Z ->
  Nat.iter k triangle (IZR s / 2 ^ k) = if Z.odd s then 1 else 0.
Proof.
  induction k as [|k IH]; intros s H.
  - cbn. assert (s = 0 \/ s = 1)%Z as [-> | ->] by (cbn in H; lia); cbn; lra.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in H by lia. set (t := (2 ^ Z.of_nat k)%Z) in *.
    assert (T : IZR t = 2 ^ k) by (unfold t; rewrite <- pow_IZR; reflexivity). assert (0 < 2 ^ k) as P by (apply pow_lt; lra).
    rewrite iter_succ_r.
    assert (S0 : 0 <= IZR s) by (apply IZR_le; lia). assert (S1 : IZR s <= 2 * 2 ^ k) by (rewrite <- T, <- mult_IZR; apply IZR_le; lia).
    assert (E : triangle (IZR s / 2 ^ S k) = IZR (Z.min s (2 * t - s)) / 2 ^ k).
    { assert (X : IZR s / 2 ^ S k = IZR s / 2 ^ k / 2) by (cbn [pow]; field; lra).
      set (y := IZR s / 2 ^ k) in X. assert (Y : IZR s = y * 2 ^ k) by (unfold y; field; lra).
      assert (0 <= y <= 2) by (split; apply Rmult_le_reg_r with (2 ^ k); lra).
      rewrite X, triangle_folds by lra. unfold Rmin. destruct (Z.min_spec s (2 * t - s)) as [[L ->]|[L ->]].
      - destruct (Rle_dec _ _) as [|N]; [fold y; lra|]. exfalso. apply N. assert (IZR s < IZR (2 * t - s)) as Q by (apply IZR_lt; exact L).
        rewrite minus_IZR, mult_IZR, T, Y in Q. assert (y < 1) by (apply Rmult_lt_reg_r with (2 ^ k); lra). lra.
      - rewrite minus_IZR, mult_IZR, T. replace ((2 * 2 ^ k - IZR s) / 2 ^ k) with (2 - y) by (unfold y; field; lra).
        destruct (Rle_dec _ _) as [N|]; [|lra]. assert (IZR (2 * t - s) <= IZR s) as Q by (apply IZR_le; exact L).
        rewrite minus_IZR, mult_IZR, T, Y in Q. assert (1 <= y) by (apply Rmult_le_reg_r with (2 ^ k); lra). lra. }
    rewrite E, IH by lia. f_equal. destruct (Z.min_spec s (2 * t - s)) as [[_ ->]|[_ ->]]; [reflexivity|].
    rewrite Z.odd_sub, Z.odd_mul. destruct (Z.odd s); reflexivity.
Qed.

(** Networks with real weights, all of whose layers have a ReLU. *)
Definition real_network : Type := list (list (list R * R)).
Fixpoint rdot (w x : list R) : R := match w, x with u :: w', v :: x' => u * v + rdot w' x' | _, _ => 0 end.
Definition reval (n : real_network) (x : list R) : list R := fold_left (fun v l => map (fun r => sigma (rdot (fst r) v + snd r)) l) n x.
Definition first_fold (r : nat) (h : R) : real_network := [[(repeat h r, 0); (repeat h r, - / 2)]; [([2; -4], 0)]].
Definition triangles (r k : nat) : real_network := first_fold r (/ 2 ^ k) ++ concat (repeat (first_fold 1 1) (k - 1)).

Lemma rdot_repeat h a : rdot (repeat h (length a)) (map (fun b : bool => if b then 1 else 0) a) = h * IZR (ones a).
Proof.
  unfold ones. induction a as [|b a IH]; cbn [length repeat map rdot zsum]; [lra|]. rewrite IH, plus_IZR. destruct b; cbn [Z.b2z]; lra.
Qed.
Lemma fold_once x : reval (first_fold 1 1) [x] = [triangle x].
Proof. unfold reval, first_fold, triangle. cbn [fold_left map repeat rdot fst snd].
  replace (1 * x + 0 + 0) with x by lra. replace (1 * x + 0 + - / 2) with (x - / 2) by lra. f_equal. f_equal. lra.
Qed.
Lemma fold_often j : forall x, reval (concat (repeat (first_fold 1 1) j)) [x] = [Nat.iter j triangle x].
Proof.
  induction j as [|j IH]; intros x; [reflexivity|]. cbn [repeat concat]. unfold reval. rewrite fold_left_app.
  fold (reval (first_fold 1 1) [x]). rewrite fold_once, iter_succ_r. apply IH.
Qed.

(** Proposition [prop:telgarsky-xor-realization], with [Nat.log2_up r] for ceil(log2 r). *)
Theorem width_two_xor r : (2 <= r)%nat -> let k := Nat.log2_up r in
  (forall a, length a = r -> reval (triangles r k) (map (fun b : bool => if b then 1 else 0) a) = [if parity a then 1 else 0]) /\
  length (triangles r k) = (2 * k)%nat /\ Forall (fun l => (length l <= 2)%nat) (triangles r k).
Proof.
  intros H k. assert (K : (1 <= k)%nat) by (apply (Nat.log2_up_le_mono 2 r); exact H). assert (P : (r <= 2 ^ k)%nat) by (apply Nat.log2_up_spec; lia).
  split; [|split].
  - intros a L. unfold triangles, reval. rewrite fold_left_app.
    set (y := IZR (ones a) / 2 ^ k).
    assert (E : fold_left (fun v l => map (fun r0 => sigma (rdot (fst r0) v + snd r0)) l) (first_fold r (/ 2 ^ k)) (map (fun b : bool => if b then 1 else 0) a) = [triangle y]).
    { rewrite <- L. unfold first_fold. cbn [fold_left map fst snd]. rewrite !rdot_repeat. cbn [rdot]. unfold triangle.
      replace (/ 2 ^ k * IZR (ones a)) with y by (unfold y, Rdiv; apply Rmult_comm).
      replace (y + 0) with y by lra. replace (y + - / 2) with (y - / 2) by lra. f_equal. f_equal. lra. }
    rewrite E. fold (reval (concat (repeat (first_fold 1 1) (k - 1))) [triangle y]). rewrite fold_often, <- iter_succ_r.
    replace (S (k - 1)) with k by lia. unfold y. rewrite dyadic_parity; [rewrite ones_parity; reflexivity|].
    pose proof (ones_range a) as R0. unfold arity in R0. rewrite L in R0. split; [lia|]. apply Z.le_trans with (Z.of_nat r); [lia|].
    replace (2 ^ Z.of_nat k)%Z with (Z.of_nat (2 ^ k)) by (rewrite Nat2Z.inj_pow; reflexivity). lia.
  - unfold triangles. rewrite app_length. assert (forall j, length (concat (repeat (first_fold 1 1) j)) = (2 * j)%nat) as -> .
    { induction j as [|j IH]; [reflexivity|]. cbn [repeat concat]. rewrite app_length, IH. cbn. lia. } cbn [first_fold length]. lia.
  - unfold triangles. apply Forall_app. split; [repeat constructor|]. induction (k - 1)%nat as [|j IH]; cbn [repeat concat]; [constructor|].
    apply Forall_app. split; [repeat constructor|exact IH].
Qed.
