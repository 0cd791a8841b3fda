(** * The paper's network

    Theorem [thm:exact-neural-realization]: Algorithm 2 turns an XOR of M sums of products, of P terms over B inputs, into a network of five layers
    of widths (2B, 2P, 2M, M, 1), the last one with or without its ReLU, which computes it at every point of the cube. *)
From Coq Require Import ZArith List Lia Bool.
From Macchiato Require Import Network Gates.
Import ListNotations.
Open Scope Z_scope.

(** ** Rows by place *)
Definition coefs : Type := list (nat * Z).
Definition gives (x : list Z) (cs : coefs) : Z := zsum (map (fun p => snd p * nth (fst p) x 0) cs).
Definition dense (n : nat) (cs : coefs) : list Z :=
  map (fun i => zsum (map (fun p => if Nat.eqb (fst p) i then snd p else 0) cs)) (seq 0 n).

Lemma dot_unit j c x : forall k, dot (map (fun i => if Nat.eqb j i then c else 0) (seq k (length x))) x
  = if Nat.ltb j k then 0 else c * nth (j - k) x 0.
Proof.
  induction x as [|a x IH]; intros k; cbn [length seq map dot]; [destruct (Nat.ltb j k), (j - k)%nat; cbn [nth]; lia|].
  rewrite IH. destruct (Nat.eqb_spec j k) as [->|D].
  - rewrite Nat.ltb_irrefl, Nat.sub_diag. replace (Nat.ltb k (S k)) with true by (symmetry; apply Nat.ltb_lt; lia). cbn [nth]. lia.
  - destruct (Nat.ltb_spec j k), (Nat.ltb_spec j (S k)); try lia. replace (j - k)%nat with (S (j - S k)) by lia. cbn [nth]. lia.
Qed.
Lemma dot_dense n cs x : length x = n -> dot (dense n cs) x = gives x cs.
Proof.
  intros <-. unfold dense, gives. induction cs as [|[j c] cs IH]; cbn [map zsum fst snd].
  - assert (Z0 : forall k, dot (map (fun _ => 0) (seq k (length x))) x = 0); [|apply Z0].
    induction x as [|a x IHx]; intros k; cbn [length seq map dot]; [reflexivity|]. rewrite IHx. lia.
  - rewrite <- IH, <- (Nat.sub_0_r j) at 1. pose proof (dot_unit j c x 0) as U. cbn [Nat.ltb Nat.leb] in U. rewrite Nat.sub_0_r in *. rewrite <- U.
    generalize 0%nat. clear. induction x as [|a x IHx]; intros k; cbn [length seq map dot]; [reflexivity|]. rewrite IHx. lia.
Qed.
Definition neuron (n : nat) (cs : coefs) (b : Z) : row := (dense n cs, b).
Lemma fire_neuron a n cs b x : length x = n -> fire a x (neuron n cs b) = activate a (gives x cs + b).
Proof. intros L. unfold fire, neuron. cbn [fst snd]. rewrite dot_dense by exact L. reflexivity. Qed.
Lemma gives_app x a b : gives x (a ++ b) = gives x a + gives x b.
Proof. unfold gives. rewrite map_app. apply zsum_app. Qed.

(** ** Layers of pairs

    A literal, an AND and an OR have two neurons each. [two] are their values; the pairs from [off] on, the second taken from the first. *)
Section Pairs.
  Context {A : Type} (f g : A -> Z).
  Definition two (l : list A) : list Z := flat_map (fun a => [f a; g a]) l.
  Lemma two_length l : length (two l) = (2 * length l)%nat.
  Proof. unfold two. induction l; cbn [flat_map app length] in *; lia. Qed.
  Lemma nth_two l : forall i d, (i < length l)%nat -> nth (2 * i) (two l) 0 = f (nth i l d) /\ nth (2 * i + 1) (two l) 0 = g (nth i l d).
  Proof.
    induction l as [|a l IH]; intros i d H; [cbn in H; lia|]. destruct i as [|i]; [split; reflexivity|].
    replace (2 * S i)%nat with (S (S (2 * i))) by lia. cbn [length] in H. exact (IH i d ltac:(lia)).
  Qed.
End Pairs.
Definition differences (off n : nat) : coefs := flat_map (fun i => [((2 * i)%nat, 1); ((2 * i + 1)%nat, -1)]) (seq off n).
Lemma gives_differences {A} (f g : A -> Z) pre l post :
  gives (two f g (pre ++ l ++ post)) (differences (length pre) (length l)) = zsum (map (fun a => f a - g a) l).
Proof.
  revert pre. induction l as [|a l IH]; intros pre; [reflexivity|]. cbn [length map zsum].
  change (differences (length pre) (S (length l))) with
    ([((2 * length pre)%nat, 1); ((2 * length pre + 1)%nat, -1)] ++ differences (S (length pre)) (length l)).
  rewrite gives_app. specialize (IH (pre ++ [a])). rewrite app_length, Nat.add_1_r, <- app_assoc in IH. cbn [app] in IH |- *. rewrite IH.
  destruct (nth_two f g (pre ++ a :: l ++ post) (length pre) a) as [F G]; [rewrite app_length; cbn [length]; lia|].
  unfold gives. cbn [map zsum fst snd]. rewrite F, G, app_nth2, Nat.sub_diag by lia. cbn [nth]. lia.
Qed.

(** ** Circuits of the paper, and Algorithm 2 *)
Definition literal : Type := nat * bool.                                   (* input, negated *)
Definition product : Type := list literal.
Definition stage : Type := list product.
Definition literal_at (x : list bool) (l : literal) : bool := xorb (nth (fst l) x false) (snd l).
Definition product_at (x : list bool) (p : product) : bool := every (map (literal_at x) p).
Definition stage_at (x : list bool) (s : stage) : bool := some (map (product_at x) s).
Definition predictor (x : list bool) (c : list stage) : bool := parity (map (stage_at x) c).

Definition literal_rows (B : nat) : list row := flat_map (fun j => [neuron B [(j, 1)] 0; neuron B [(j, -1)] 1]) (seq 0 B).
Definition literal_place (l : literal) : nat := (2 * fst l + (if snd l then 1 else 0))%nat.
Definition product_rows (n : nat) (p : product) : list row :=
  let cs := map (fun l => (literal_place l, 1)) p in
  [neuron n cs (- Z.of_nat (length p) + 1); neuron n cs (- Z.of_nat (length p))].
Fixpoint stage_rows (n off : nat) (c : list stage) : list row :=
  match c with
  | [] => []
  | s :: c' => let cs := differences off (length s) in [neuron n cs 0; neuron n cs (-1)] ++ stage_rows n (off + length s) c'
  end.
Definition parity_rows (M : nat) : list row := map (fun k => neuron (2 * M) (differences 0 M) (- Z.of_nat k)) (seq 0 M).
Definition output_row (M : nat) : row := neuron M (map (fun k => (k, bend odd k)) (seq 0 M)) 0.
Definition compile (B : nat) (c : list stage) (last : bool) : network :=
  let P := length (concat c) in
  let M := length c in
  [Layer (literal_rows B) true; Layer (flat_map (product_rows (2 * B)) (concat c)) true; Layer (stage_rows (2 * P) 0 c) true;
   Layer (parity_rows M) true; Layer [output_row M] last].

(** ** Layer by layer, at a point *)
Section Point.
  Variable x : list bool.
  Let B := length x.
  Definition literals : list Z := two (fun j => Z.b2z (nth j x false)) (fun j => Z.b2z (negb (nth j x false))) (seq 0 B).

  Lemma literal_layer : eval_layer (Layer (literal_rows B) true) (point x) = literals.
  Proof.
    unfold eval_layer, literal_rows, literals, two. cbn [rows rectified]. induction (seq 0 B) as [|j l IH]; [reflexivity|].
    cbn [flat_map app map]. rewrite IH, !fire_neuron by (unfold point; apply map_length). unfold gives. cbn [map zsum fst snd activate].
    assert (E : nth j (point x) 0 = Z.b2z (nth j x false)) by exact (map_nth Z.b2z x false j). rewrite E. destruct (nth j x false); reflexivity.
  Qed.
  Definition inside (p : product) : Prop := Forall (fun l => (fst l < B)%nat) p.
  Lemma literal_value l : (fst l < B)%nat -> nth (literal_place l) literals 0 = Z.b2z (literal_at x l).
  Proof.
    intros H. unfold literal_place, literals, literal_at.
    destruct (nth_two (fun j => Z.b2z (nth j x false)) (fun j => Z.b2z (negb (nth j x false))) (seq 0 B) (fst l) 0%nat) as [F G];
      [rewrite seq_length; exact H|]. rewrite seq_nth in F, G by exact H. cbn [Nat.add] in F, G.
    destruct (snd l); [rewrite G, xorb_true_r|rewrite Nat.add_0_r, F, xorb_false_r]; reflexivity.
  Qed.

  Let held p := ones (map (literal_at x) p).
  Definition products (ps : list product) : list Z :=
    two (fun p => relu (held p - arity (map (literal_at x) p) + 1)) (fun p => relu (held p - arity (map (literal_at x) p))) ps.
  Lemma product_layer ps : Forall inside ps -> eval_layer (Layer (flat_map (product_rows (2 * B)) ps) true) literals = products ps.
  Proof.
    unfold eval_layer, products, two. cbn [rows rectified]. induction 1 as [|p ps H _ IH]; [reflexivity|].
    cbn [flat_map product_rows app map]. rewrite IH, !fire_neuron by (unfold literals; rewrite two_length, seq_length; reflexivity).
    assert (E : gives literals (map (fun l => (literal_place l, 1)) p) = held p).
    { unfold held, gives, ones. clear -H. induction H as [|l p H _ IH]; [reflexivity|]. cbn [map zsum fst snd].
      rewrite literal_value, IH by exact H. lia. }
    rewrite E. unfold arity. rewrite map_length. cbn [activate]. f_equal. f_equal. lia.
  Qed.

  Let held_terms s := ones (map (product_at x) s).
  Definition stages (c : list stage) : list Z := two (fun s => relu (held_terms s)) (fun s => relu (held_terms s - 1)) c.
  Lemma stage_layer pre c :
    eval_layer (Layer (stage_rows (2 * length (pre ++ concat c)) (length pre) c) true) (products (pre ++ concat c)) = stages c.
  Proof.
    unfold eval_layer, stages, two. cbn [rows rectified]. revert pre. induction c as [|s c IH]; intros pre; [reflexivity|].
    cbn [concat stage_rows flat_map app map]. rewrite !fire_neuron by (unfold products; rewrite two_length; reflexivity).
    assert (E : gives (products (pre ++ s ++ concat c)) (differences (length pre) (length s)) = held_terms s).
    { unfold products. rewrite gives_differences. unfold held_terms, ones. rewrite map_map. f_equal. apply map_ext. intros p. apply and_module. }
    rewrite E. cbn [activate]. rewrite Z.add_0_r. f_equal. f_equal.
    specialize (IH (pre ++ s)). rewrite <- app_assoc, (app_length pre s) in IH. exact IH.
  Qed.

  Lemma stages_differ c : gives (stages c) (differences 0 (length c)) = ones (map (stage_at x) c).
  Proof.
    pose proof (gives_differences (fun s => relu (held_terms s)) (fun s => relu (held_terms s - 1)) [] c []) as E.
    rewrite app_nil_r in E. etransitivity; [exact E|]. unfold ones. rewrite map_map. f_equal. apply map_ext. intros s. apply or_module.
  Qed.
  Lemma parity_layer c : eval_layer (Layer (parity_rows (length c)) true) (stages c)
    = map (fun k => relu (ones (map (stage_at x) c) - Z.of_nat k)) (seq 0 (length c)).
  Proof.
    unfold eval_layer, parity_rows. cbn [rows rectified]. rewrite map_map. apply map_ext. intros k.
    rewrite fire_neuron by (unfold stages; apply two_length). rewrite stages_differ. reflexivity.
  Qed.
  Lemma output_sum M s : gives (map (fun k => relu (s - Z.of_nat k)) (seq 0 M)) (map (fun k => (k, bend odd k)) (seq 0 M)) = bends odd M s.
  Proof.
    unfold gives, bends. rewrite map_map. f_equal. apply map_ext_in. intros k H. apply in_seq in H. cbn [fst snd]. f_equal.
    rewrite nth_indep with (d' := (fun k => relu (s - Z.of_nat k)) O) by (rewrite map_length, seq_length; lia).
    rewrite (map_nth (fun k => relu (s - Z.of_nat k))), seq_nth by lia. reflexivity.
  Qed.

  (** (iii) *)
  Theorem exact_neural_realization c last : Forall inside (concat c) -> eval (compile B c last) (point x) = [Z.b2z (predictor x c)].
  Proof.
    intros H. unfold compile, eval. cbn [fold_left]. rewrite literal_layer, product_layer by exact H.
    pose proof (stage_layer [] c) as S. cbn [app length] in S. rewrite S, parity_layer.
    unfold eval_layer, output_row. cbn [rows rectified map]. rewrite fire_neuron by (rewrite map_length, seq_length; reflexivity).
    rewrite output_sum, Z.add_0_r. f_equal. rewrite <- (map_length (stage_at x) c), xor_sum.
    unfold predictor, activate. destruct last, (parity _); reflexivity.
  Qed.
End Point.

(** (i) and (ii): five layers of these widths. *)
Theorem paper_widths B c last : map (fun l => length (rows l)) (compile B c last)
  = [2 * B; 2 * length (concat c); 2 * length c; length c; 1]%nat.
Proof.
  assert (F : forall A (f : A -> list row) l, (forall a, length (f a) = 2%nat) -> length (flat_map f l) = (2 * length l)%nat).
  { intros A f l Hf. induction l; cbn [flat_map length]; [reflexivity|]. rewrite app_length, Hf, IHl. lia. }
  assert (O : forall n c off, length (stage_rows n off c) = (2 * length c)%nat)
    by (intros n; induction c0; intros off; cbn [stage_rows app length]; [reflexivity|]; rewrite IHc0; lia).
  unfold compile, literal_rows, parity_rows. cbn [map rows length]. rewrite !F by reflexivity. rewrite O, map_length, !seq_length. reflexivity.
Qed.
