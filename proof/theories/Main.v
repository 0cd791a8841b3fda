(** * What acceptance means

    The theorems for those who read no further, and what they rest on. *)
From Coq Require Import ZArith NArith List.
From Flocq Require Import IEEE754.BinarySingleNaN IEEE754.Bits.
From Macchiato Require Import Network Circuit Check Layers Sound Decode Float.
From Macchiato Require Gates Paper Alternatives Describe Complete.
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

(** And so every run in float32 gives the circuit's values: in every rounding mode, every order and association of every sum, with and
    without fused multiply-add, with zeros added and left out. *)
Theorem check_exact c net k : check c net = Some k -> forall n, stores n net -> forall x, length x = N.to_nat (cube c) ->
  forall (m : mode) (v z : list binary32), Forall2 holds v (point x) -> runs m n v z -> Forall2 holds z (compute k x).
Proof.
  intros C n S x L m v z V R. rewrite <- (check_sound _ _ _ C x L).
  exact (runs_exact m n net S v _ z V (check_bounds _ _ _ C x L) R).
Qed.

(** The same of the file itself, its bits read as IEEE-754 binary32. *)
Theorem check_file_exact c f k : check_file c f = Some k -> forall x, length x = N.to_nat (cube c) ->
  forall (m : mode) (v z : list binary32), Forall2 holds v (point x) -> runs m (float_of f) v z -> Forall2 holds z (compute k x).
Proof.
  unfold check_file. destruct (decode_list decode_layer [] f) as [net|] eqn:D; [|discriminate]. intros C.
  exact (check_exact c net k C (float_of f) (decoded_stores f net D)).
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
Check Complete.check_complete.
Print Assumptions Complete.check_complete.
Check Describe.check_unique.
Print Assumptions Describe.check_unique.

(** The paper's own. *)
Check Gates.not_module.
Print Assumptions Gates.not_module.
Check Gates.and_module.
Print Assumptions Gates.and_module.
Check Gates.or_module.
Print Assumptions Gates.or_module.
Check Gates.xor_module.
Print Assumptions Gates.xor_module.
Check Gates.odd_bends.
Print Assumptions Gates.odd_bends.
Check Gates.and_width_one.
Print Assumptions Gates.and_width_one.
Check Gates.or_depth_two.
Print Assumptions Gates.or_depth_two.
Check Gates.or_needs_two.
Print Assumptions Gates.or_needs_two.
Check Gates.xor_needs_two.
Print Assumptions Gates.xor_needs_two.
Check Paper.exact_neural_realization.
Print Assumptions Paper.exact_neural_realization.
Check Paper.paper_widths.
Print Assumptions Paper.paper_widths.
Check Alternatives.depth_parameterized_xor.
Print Assumptions Alternatives.depth_parameterized_xor.
Check Alternatives.local_arity.
Print Assumptions Alternatives.local_arity.
Check Alternatives.dyadic_parity.
Print Assumptions Alternatives.dyadic_parity.
Check Alternatives.width_two_xor.
Print Assumptions Alternatives.width_two_xor.
