(** * Circuits of one gate

    A gate answers by the weighted count of its literals. This is the circuit that people read; it knows of no network. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network.
Import ListNotations.
Open Scope Z_scope.

(** For which counts a gate holds. *)
Inductive rule :=
  | And | Or | Xor
  | Least (k : Z)
  | Counts (ranges : list (Z * Z))
  | Sum.                                    (* the count itself: whole numbers, not only 0 and 1 *)

(** The answer at [count], where [whole] is the count if everything holds. *)
Definition rule_value (r : rule) (count whole : Z) : Z :=
  match r with
  | And => Z.b2z (count =? whole)
  | Or => Z.b2z (1 <=? count)
  | Xor => Z.b2z (Z.odd count)
  | Least k => Z.b2z (k <=? count)
  | Counts ranges => Z.b2z (existsb (fun p => (fst p <=? count) && (count <=? snd p)) ranges)
  | Sum => count
  end.

Inductive source := Input (i : N) | Earlier (g : N).
Record literal := Literal { reads : source; positive : bool; points : Z }.
Record circuit_gate := CircuitGate { answers : rule; counts : list literal }.
Record circuit := Circuit { inputs : N; gates : list circuit_gate; outputs : list literal }.

(** ** What a circuit computes

    [vs] are the values of the gates so far, in order. *)
Definition source_value (x : list Z) (vs : list Z) (s : source) : Z :=
  match s with Input i => at_ x i | Earlier g => at_ vs g end.
Definition signed (p : bool) (v : Z) : Z := if p then v else 1 - v.
Definition literal_value (x vs : list Z) (l : literal) : Z := signed (positive l) (source_value x vs (reads l)).
Definition count (x vs : list Z) (ls : list literal) : Z := zsum (map (fun l => points l * literal_value x vs l) ls).
Definition whole (ls : list literal) : Z := zsum (map points ls).
Definition gate_value (x vs : list Z) (g : circuit_gate) : Z := rule_value (answers g) (count x vs (counts g)) (whole (counts g)).
Definition values (x : list Z) (gs : list circuit_gate) : list Z := fold_left (fun vs g => vs ++ [gate_value x vs g]) gs [].

(** The outputs at a point of the cube. *)
Definition compute (c : circuit) (x : list bool) : list Z :=
  map (literal_value (point x) (values (point x) (gates c))) (outputs c).

(** ** Values do not change when gates are added *)
Definition known (n : nat) (s : source) : Prop := match s with Input _ => True | Earlier g => (N.to_nat g < n)%nat end.

Lemma values_snoc x gs g : values x (gs ++ [g]) = values x gs ++ [gate_value x (values x gs) g].
Proof. unfold values. rewrite fold_left_app. reflexivity. Qed.
Lemma values_length x gs : length (values x gs) = length gs.
Proof.
  induction gs as [|g gs IH] using rev_ind; [reflexivity|]. rewrite values_snoc, !app_length, IH. reflexivity.
Qed.
Lemma source_value_app x vs r s : known (length vs) s -> source_value x (vs ++ r) s = source_value x vs s.
Proof. destruct s as [i|g]; cbn [source_value known]; intros K; [reflexivity|]. unfold at_. apply app_nth1. exact K. Qed.
Lemma count_app x vs r ls : Forall (fun l => known (length vs) (reads l)) ls -> count x (vs ++ r) ls = count x vs ls.
Proof.
  unfold count. intros K. f_equal. apply map_ext_in. intros l I. rewrite Forall_forall in K.
  unfold literal_value. rewrite source_value_app by auto. reflexivity.
Qed.
Lemma known_more n m s : (n <= m)%nat -> known n s -> known m s.
Proof. destruct s; cbn; lia. Qed.
