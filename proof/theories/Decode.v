(** * From the bits of the file to whole numbers

    A file holds float32 numbers of 32 bits each. Only whole ones below 2^24 can be what a certificate asks for; [check_file] decodes them
    and checks. What the bits mean is IEEE-754's business: Float.v has the proof that they mean this. *)
From Coq Require Import ZArith NArith List Bool.
From Macchiato Require Import Network Circuit Check.
Import ListNotations.
Open Scope Z_scope.

(** 23 bits of fraction, 8 of exponent, a sign. Constants by name, which are computed once. *)
Definition fraction : Z := 2 ^ 23.
Definition exponent : Z := 2 ^ 8.
Definition negative : Z := 2 ^ 31.
Definition decode (b : Z) : option Z :=
  if b =? 0 then Some 0
  else
    let f := b mod fraction in
    let e := b / fraction mod exponent in
    if e =? 0 then if f =? 0 then Some 0 else None
    else if (127 <=? e) && (e <=? 150) then
      let w := f + fraction in
      let p := 2 ^ (150 - e) in
      if w mod p =? 0 then Some (if negative <=? b then - (w / p) else w / p) else None
    else None.

(** A list, in reverse order first so that long ones take no stack. *)
Fixpoint decode_list {A B} (f : A -> option B) (found : list B) (l : list A) : option (list B) :=
  match l with
  | [] => Some (rev_append found [])
  | a :: l' => match f a with Some b => decode_list f (b :: found) l' | None => None end
  end.
Definition decode_row (r : list Z * Z) : option row :=
  match decode_list decode [] (fst r), decode (snd r) with Some ws, Some b => Some (ws, b) | _, _ => None end.
(** For each layer its rows, and whether a ReLU follows. *)
Definition file : Type := list (list (list Z * Z) * bool).
Definition decode_layer (l : list (list Z * Z) * bool) : option layer :=
  match decode_list decode_row [] (fst l) with Some rs => Some (Layer rs (snd l)) | None => None end.

Definition check_file (c : certificate) (f : file) : option circuit :=
  match decode_list decode_layer [] f with Some net => check c net | None => None end.

Lemma decode_list_right {A B} (f : A -> option B) l : forall found all, decode_list f found l = Some all ->
  exists new, all = rev found ++ new /\ Forall2 (fun a b => f a = Some b) l new.
Proof.
  induction l as [|a l IH]; intros found all D; cbn [decode_list] in D.
  - injection D as <-. exists []. rewrite rev_append_rev. split; [reflexivity|constructor].
  - destruct (f a) as [b|] eqn:E; [|discriminate D]. destruct (IH _ _ D) as (new & -> & F). exists (b :: new). cbn [rev].
    rewrite <- app_assoc. split; [reflexivity|constructor; assumption].
Qed.
