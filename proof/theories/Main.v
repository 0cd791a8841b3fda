(** * What acceptance means

    The theorems for those who read no further, and what they rest on. *)
From Coq Require Import ZArith NArith List.
From Flocq Require Import IEEE754.BinarySingleNaN IEEE754.Bits.
From Macchiato Require Import Network Circuit Check Layers Sound Decode Float.
Import ListNotations.
Open Scope Z_scope.

(** The network computes the circuit: all outputs, at every point of the cube. *)
Theorem check_sound c net k : check c net = Some k ->
  forall x, length x = N.to_nat (cube c) -> eval net (point x) = compute k x.
Proof. intros C x L. exact (proj1 (check_within_sound _ _ _ _ _ C x L)). Qed.

(** The sizes of a neuron's terms, bias and all, add up to less than 2^24: with the checker's own bound, peak by peak. *)
Theorem check_bounds c net k : check c net = Some k -> forall x, length x = N.to_nat (cube c) ->
  forall l ly, nth_error net l = Some ly -> bounded (state net l (point x)) ly.
Proof. intros C x L l ly E r I. exact (proj2 (check_within_sound _ _ _ _ _ C x L) l ly r E I). Qed.

(** And so the file, its bits read as IEEE-754 binary32, gives the circuit's values in every run: in every rounding mode, every order and
    association of every sum, with and without fused multiply-add, with zeros added and left out. *)
Theorem check_file_exact c f k : check_file c f = Some k -> forall x, length x = N.to_nat (cube c) ->
  forall (m : mode) (v z : list binary32), Forall2 holds v (point x) -> runs m (float_of f) v z -> Forall2 holds z (compute k x).
Proof.
  unfold check_file. destruct (decode_list decode_layer [] f) as [net|] eqn:D; [|discriminate]. intros C x L m v z V R.
  rewrite <- (check_sound _ _ _ C x L). apply (runs_exact m (float_of f) net (decoded_stores f net D) v _ z V); [|exact R].
  exact (check_bounds _ _ _ C x L).
Qed.

(** Printed, and held against proof/assumptions.txt: the statements, and what they rest on. *)
Check check_sound.
Print Assumptions check_sound.
Check check_bounds.
Print Assumptions check_bounds.
Check check_file_exact.
Print Assumptions check_file_exact.
Check a_run_exists.
Print Assumptions a_run_exists.
