(** * The check as a program

    [check_file] becomes OCaml, with numbers as those of the library Zarith. What is trusted besides Coq: extraction, OCaml, Zarith, and the
    readers in proof/twin. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Coq Require Import ZArith NArith.
From Macchiato Require Import Network Circuit Check Decode.
From Macchiato Require Paper.
Extraction Language OCaml.
(** Faster than what the definitions say, and the same. *)
Extract Inlined Constant Z.eqb => "Big_int_Z.eq_big_int".
Extract Inlined Constant Z.leb => "Big_int_Z.le_big_int".
Extract Inlined Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Inlined Constant N.eqb => "Big_int_Z.eq_big_int".
Extract Inlined Constant N.ltb => "Big_int_Z.lt_big_int".
Extraction "checker" check_file.
(** Algorithm 2, to compare networks with. *)
Extraction "paper" Paper.compile.
