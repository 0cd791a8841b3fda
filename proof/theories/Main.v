(** * What acceptance means

    The theorems for those who read no further, and what they rest on. *)
From Coq Require Import ZArith NArith List.
From Macchiato Require Import Network Circuit Check Layers Sound.
Open Scope Z_scope.

(** The network computes the circuit: all outputs, at every point of the cube. *)
Theorem check_sound c net k : check c net = Some k ->
  forall x, length x = N.to_nat (cube c) -> eval net (point x) = compute k x.
Proof. intros C x L. exact (proj1 (check_within_sound _ _ _ _ _ C x L)). Qed.

(** The sizes of a neuron's terms, bias and all, add up to less than 2^24. *)
Theorem check_bounds c net k : check c net = Some k -> forall x, length x = N.to_nat (cube c) ->
  forall l ly r, nth_error net l = Some ly -> In r (rows ly) ->
  absdot (fst r) (state net l (point x)) + Z.abs (snd r) < 2 ^ 24.
Proof. intros C x L l ly r E I. exact (proj2 (proj2 (check_within_sound _ _ _ _ _ C x L) l ly r E I)). Qed.

Print Assumptions check_sound.
Print Assumptions check_bounds.
