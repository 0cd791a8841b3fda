(** * Networks over the whole numbers

    What a network file computes if no rounding happens: layers of weights and biases, each followed by a ReLU or by nothing.
    Everything else in this folder is about these few definitions, so they are what a sceptic reads first. *)
From Coq Require Import ZArith NArith List Lia Bool FMapPositive.
Import ListNotations.
Open Scope Z_scope.

Definition relu (u : Z) : Z := Z.max 0 u.
Definition activate (rectified : bool) (u : Z) : Z := if rectified then relu u else u.

(** A neuron of the file: its weights on the layer before, and its bias. *)
Definition row : Type := list Z * Z.
Record layer := Layer { rows : list row; rectified : bool }.
Definition network : Type := list layer.

Fixpoint dot (w x : list Z) : Z :=
  match w, x with a :: w', b :: x' => a * b + dot w' x' | _, _ => 0 end.
Definition fire (a : bool) (x : list Z) (r : row) : Z := activate a (dot (fst r) x + snd r).
Definition eval_layer (l : layer) (x : list Z) : list Z := map (fire (rectified l) x) (rows l).
Definition eval (n : network) (x : list Z) : list Z := fold_left (fun v l => eval_layer l v) n x.

(** A point of the cube as numbers. *)
Definition point (x : list bool) : list Z := map Z.b2z x.

(** ** The values of layer [l]; layer 0 is the input. *)
Definition state (net : network) (l : nat) (x : list Z) : list Z := eval (firstn l net) x.

Lemma state_succ net : forall l ly x, nth_error net l = Some ly -> state net (S l) x = eval_layer ly (state net l x).
Proof.
  induction net as [|a net IH]; intros [|l] ly x E; try discriminate E.
  - injection E as ->. reflexivity.
  - exact (IH l ly (eval_layer a x) E).
Qed.

Lemma state_all net x : state net (length net) x = eval net x.
Proof. unfold state. rewrite firstn_all. reflexivity. Qed.

(** ** Sums *)
Fixpoint zsum (l : list Z) : Z := match l with [] => 0 | a :: r => a + zsum r end.
Lemma zsum_app a b : zsum (a ++ b) = zsum a + zsum b.
Proof. induction a; cbn [app zsum]; lia. Qed.

(** The value at a place; places beyond the end are 0. *)
Definition at_ (x : list Z) (i : N) : Z := nth (N.to_nat i) x 0.

(** ** Coefficients by place

    A certificate speaks of few weights of a row, by place, and the same place may come twice: then they add up. *)
Definition parts : Type := list (N * Z).
Definition weigh (f : N -> Z) (ps : parts) : Z := zsum (map (fun p => snd p * f (fst p)) ps).

Definition key (i : N) : positive := N.succ_pos i.
Lemma key_inj i j : key i = key j -> i = j.
Proof. unfold key. destruct i, j; cbn; lia. Qed.

Notation map_of := PositiveMap.t.
Definition get {A} (i : N) (m : map_of A) : option A := PositiveMap.find (key i) m.
Definition put {A} (i : N) (a : A) (m : map_of A) : map_of A := PositiveMap.add (key i) a m.
Definition none {A} : map_of A := PositiveMap.empty A.
Lemma get_none {A} i : get i (@none A) = None.
Proof. apply PositiveMap.gempty. Qed.
Lemma get_put {A} i j (a : A) m : get j (put i a m) = if N.eqb i j then Some a else get j m.
Proof.
  unfold get, put. destruct (N.eqb_spec i j) as [->|D]; [apply PositiveMap.gss|].
  apply PositiveMap.gso. intros E. apply D. symmetry. apply key_inj. exact E.
Qed.

Definition total_at (t : map_of Z) (i : N) : Z := match get i t with Some v => v | None => 0 end.
Definition add_part (t : map_of Z) (p : N * Z) : map_of Z := put (fst p) (total_at t (fst p) + snd p) t.
Lemma total_add t p j : total_at (add_part t p) j = total_at t j + (if N.eqb (fst p) j then snd p else 0).
Proof.
  unfold total_at at 1, add_part. rewrite get_put. destruct (N.eqb_spec (fst p) j) as [->|D]; [reflexivity|].
  fold (total_at t j). lia.
Qed.

(** A row whose weights are the totals, place by place from [i] on, reads what the parts weigh. *)
Fixpoint dot_from (f : N -> Z) (i : N) (x : list Z) : Z :=
  match x with [] => 0 | a :: x' => f i * a + dot_from f (N.succ i) x' end.

Lemma dot_from_add f g x : forall i, dot_from (fun j => f j + g j) i x = dot_from f i x + dot_from g i x.
Proof. induction x; intros i; cbn [dot_from]; [|rewrite IHx]; lia. Qed.
Lemma dot_from_ext f g x : forall i, (forall j, f j = g j) -> dot_from f i x = dot_from g i x.
Proof. induction x; intros i E; cbn [dot_from]; [|rewrite E, IHx by exact E]; lia. Qed.
Lemma dot_from_zero x : forall i, dot_from (fun _ => 0) i x = 0.
Proof. induction x; intros i; cbn [dot_from]; [|rewrite IHx]; lia. Qed.
Lemma dot_from_unit k c x : forall i, dot_from (fun j => if N.eqb k j then c else 0) i x
  = if N.ltb k i then 0 else c * at_ x (k - i).
Proof.
  unfold at_. induction x as [|a x IH]; intros i; cbn [dot_from].
  - destruct (N.ltb k i); [reflexivity|]. destruct (N.to_nat (k - i)); cbn [nth]; lia.
  - rewrite IH. destruct (N.eqb_spec k i) as [->|D].
    + rewrite N.ltb_irrefl, N.sub_diag. replace (N.ltb i (N.succ i)) with true by (symmetry; apply N.ltb_lt; lia).
      cbn [N.to_nat nth]. lia.
    + destruct (N.ltb_spec k i), (N.ltb_spec k (N.succ i)); try lia.
      replace (N.to_nat (k - i)) with (S (N.to_nat (k - N.succ i))) by lia. cbn [nth]. lia.
Qed.

Lemma add_parts k ps x : forall t, dot_from (total_at (fold_left (fun ts p => add_part ts (fst p, k * snd p)) ps t)) 0 x
  = dot_from (total_at t) 0 x + k * weigh (at_ x) ps.
Proof.
  induction ps as [|p ps IH]; intros t; cbn [fold_left]; [unfold weigh; cbn [map zsum]; lia|].
  rewrite IH, (dot_from_ext _ _ _ 0 (total_add t (fst p, k * snd p))), dot_from_add, dot_from_unit, N.sub_0_r. cbn [fst snd].
  replace (N.ltb (fst p) 0) with false by (symmetry; apply N.ltb_ge; lia). unfold weigh. cbn [map zsum]. lia.
Qed.
Lemma no_parts x : dot_from (total_at none) 0 x = 0.
Proof.
  rewrite (dot_from_ext _ (fun _ => 0)); [apply dot_from_zero|]. intros j. unfold total_at. rewrite get_none. reflexivity.
Qed.
