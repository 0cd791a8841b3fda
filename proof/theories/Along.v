(** * Along the gates

    The heart of the proof. A signal is right if its read-out is what it stands for in the circuit, and lies in its range. If the signals before a gate
    are right, its count lies between 0 and W; the gate was evaluated at all of these, so that its own signal is right: a literal of the circuit, or a
    helper that its reader will take. This holds at every point [x], for every network that the file's claims are true of. *)
From Coq Require Import ZArith NArith List Lia Bool.
From Macchiato Require Import Network Circuit Check Layers OneGate.
Import ListNotations.
Open Scope Z_scope.

Section Along.
Variables (limit : Z) (B : N) (layers : map_of (N * bool)) (net : network) (x : list bool).
Let xs := point x.
Let nv (l i : N) : Z := at_ (state net (N.to_nat l) xs) i.

(** ** Signals and what they stand for *)
Definition carries (s : signal) : Z := constant s + weigh (nv (from s)) (carried s).
Definition means (vs : list Z) (m : meaning) (v mo : Z) : Prop :=
  match m with
  | Is s p sum => known (length vs) s /\ v = signed p (source_value xs vs s) /\ (sum = false -> mo = 1)
  | NoneOf ls => Forall (fun l => known (length vs) (reads l)) ls /\ 0 <= count xs vs ls /\ v = Z.b2z (count xs vs ls =? 0)
  | OddOf ls => Forall (fun l => known (length vs) (reads l)) ls /\ Z.odd v = Z.odd (count xs vs ls)
  | Taken => True
  end.

Lemma means_app vs r m v mo : means vs m v mo -> means (vs ++ r) m v mo.
Proof.
  assert (K : forall ls, Forall (fun l => known (length vs) (reads l)) ls -> Forall (fun l => known (length (vs ++ r)) (reads l)) ls).
  { intros ls. apply Forall_impl. intros l. apply known_more. rewrite app_length. lia. }
  destruct m as [s p sum|ls|ls|]; cbn [means]; [intros (A & C & D)|intros (A & C & D)|intros (A & C)|auto];
    rewrite ?source_value_app, ?count_app by assumption; repeat split; auto.
  eapply known_more; [|exact A]. rewrite app_length. lia.
Qed.

Definition sound_signals (sg : map_of signal) (ms : map_of meaning) (vs : list Z) : Prop :=
  forall g s, get g sg = Some s -> 0 <= carries s <= most s /\ exists m, get g ms = Some m /\ means vs m (carries s) (most s).

(** The signal and the meaning of a source. *)
Lemma source_right sg ms vs src s m : sound_signals sg ms vs -> signal_of B sg src = Some s -> meaning_of ms src = Some m ->
  0 <= carries s <= most s /\ means vs m (carries s) (most s).
Proof.
  intros S E M. destruct src as [i|g]; cbn [signal_of meaning_of] in *.
  - destruct (N.ltb_spec i B); [|discriminate E]. injection E as <-. injection M as <-.
    assert (V : carries (Signal 0 0 [(i, 1)] 1 1) = at_ xs i).
    { unfold carries, weigh, nv. cbn [constant from carried map zsum fst snd N.to_nat]. unfold state. cbn [firstn eval fold_left]. lia. }
    rewrite V. cbn [most means known source_value signed].
    assert (0 <= at_ xs i <= 1).
    { unfold at_, xs, point. change 0 with (Z.b2z false) at 2 3. rewrite map_nth. destruct (nth _ x false); cbn; lia. }
    repeat split; try lia.
  - destruct (S g s E) as [R (m' & M' & Me)]. rewrite M' in M. injection M as <-. split; assumption.
Qed.

Lemma take_sound sg ms vs src : sound_signals sg ms vs -> sound_signals sg (take ms src) vs.
Proof.
  intros S. destruct src as [i|h]; [exact S|]. intros g s E. destruct (S g s E) as [R (m & M & Me)]. split; [exact R|].
  cbn [take]. rewrite get_put. destruct (N.eqb_spec h g); [exists Taken; split; [reflexivity|exact I]|exists m; split; assumption].
Qed.

(** ** The count of a gate *)
Definition heard (sg : map_of signal) (l : N) (o : literal) (s : signal) : Prop :=
  signal_of B sg (reads o) = Some s /\ (from s + 1 = l)%N /\ (positive o = true \/ most s = 1) /\ 1 <= points o.
Definition said (o : literal) (s : signal) : Z := signed (positive o) (carries s).
Fixpoint counted (os : list literal) (ss : list signal) : Z :=
  match os, ss with o :: os', s :: ss' => points o * said o s + counted os' ss' | _, _ => 0 end.
Fixpoint at_most (os : list literal) (ss : list signal) : Z :=
  match os, ss with o :: os', s :: ss' => points o * most s + at_most os' ss' | _, _ => 0 end.
Definition tallied (l : N) (t : tally) : Z := t_base t + dot_from (total_at (t_totals t)) 0 (state net (N.to_nat (N.pred l)) xs).

Lemma gather_right sg l os : forall t t', gather limit B sg l t os = Some t' ->
  exists ss, Forall2 (heard sg l) os ss /\ tallied l t' = tallied l t + counted os ss /\ t_most t' = t_most t + at_most os ss.
Proof.
  induction os as [|o os IH]; intros t t' G; cbn [gather] in G.
  - injection G as <-. exists []. repeat split; [constructor|cbn; lia|cbn; lia].
  - destruct (add_operand limit B sg l t o) as [t1|] eqn:A; [|discriminate G].
    unfold add_operand in A. destruct (signal_of B sg (reads o)) as [s|] eqn:E; [|discriminate A].
    destruct (_ && _) eqn:T in A; [|discriminate A]. split_and.
    apply N.eqb_eq in H. apply orb_prop in H3. rewrite Z.eqb_eq in H3. apply Z.leb_le in H2.
    injection A as <-. destruct (IH _ _ G) as (ss & F & V & M). exists (s :: ss). split; [|split].
    + constructor; [|exact F]. repeat split; auto.
    + rewrite V. cbn [counted]. unfold tallied. cbn [t_base t_totals]. rewrite add_parts.
      unfold said, carries. replace (N.pred l) with (from s) by lia. change (nv (from s)) with (at_ (state net (N.to_nat (from s)) xs)).
      destruct (positive o); cbn [signed]; nia.
    + rewrite M. cbn [t_most at_most]. lia.
Qed.

Lemma counted_range sg ms vs l os ss : sound_signals sg ms vs -> Forall2 (heard sg l) os ss -> 0 <= counted os ss <= at_most os ss.
Proof.
  intros S F. induction F as [|o s os ss (E & _ & P & W) _ IH]; cbn [counted at_most]; [lia|].
  assert (R : 0 <= carries s <= most s).
  { destruct (reads o) as [i|g] eqn:Q.
    - exact (proj1 (source_right sg ms vs (Input i) s _ S E eq_refl)).
    - exact (proj1 (S g s E)). }
  unfold said. destruct (positive o); cbn [signed]; [|destruct P as [P|P]; [discriminate P|]]; nia.
Qed.

(** ** Operands as literals of the circuit *)
Lemma count_rev_append vs a b : count xs vs (rev_append a b) = count xs vs a + count xs vs b.
Proof.
  rewrite rev_append_rev. unfold count. rewrite map_app, zsum_app. f_equal.
  induction a as [|l a IH]; [reflexivity|]. cbn [rev]. rewrite map_app, zsum_app, IH. cbn [map zsum]. lia.
Qed.
(** One operand: a literal, a NOR that an OR negates, or a parity within a parity. *)
Definition stands (k : kind) (alone : bool) (vs : list Z) (o : literal) (s : signal) (new : list literal) (sum : bool) : Prop :=
  (count xs vs new = points o * said o s /\ whole new = points o /\ (sum = false -> most s = 1)) \/
  (k = Rule Or /\ alone = true /\ positive o = false /\ 0 <= count xs vs new /\ carries s = Z.b2z (count xs vs new =? 0)) \/
  (parity k = true /\ Z.odd (count xs vs new) = Z.odd (points o * said o s)).

Lemma resolve_right sg ms vs l k alone ls o s ms' ls' sum : sound_signals sg ms vs -> heard sg l o s ->
  resolve k alone ms ls o = Some (ms', ls', sum) ->
  sound_signals sg ms' vs /\ exists new, ls' = rev_append new ls /\ Forall (fun l => known (length vs) (reads l)) new /\ stands k alone vs o s new sum.
Proof.
  intros S (E & _ & _ & W) R. unfold resolve in R. destruct (meaning_of ms (reads o)) as [m|] eqn:M; [|discriminate R].
  destruct (source_right _ _ _ _ _ _ S E M) as [_ Me]. destruct m as [src p su|of|of|]; [| | |discriminate R]; cbn [means] in Me.
  - destruct Me as (K & V & O). destruct (su && _) eqn:T; [discriminate R|]. injection R as <- <- <-. split; [exact S|].
    exists [Literal src (eqb p (positive o)) (points o)]. split; [reflexivity|]. split; [constructor; [exact K|constructor]|].
    left. unfold count, whole, said, literal_value. cbn [map zsum points positive reads]. rewrite V, signed_twice.
    repeat split; [ring|ring|exact O].
  - destruct Me as (K & N0 & V). destruct (disjunction k && alone && negb (positive o)) eqn:T; [|discriminate R]. injection R as <- <- <-.
    split; [apply take_sound; exact S|]. exists of. split; [reflexivity|]. split; [exact K|]. right. left. split_and.
    split; [destruct k as [[]| | |]; try discriminate H; reflexivity|]. apply negb_true_iff in H0. auto.
  - destruct Me as (K & V). destruct (parity k && positive o && (points o =? 1)) eqn:T; [|discriminate R]. injection R as <- <- <-.
    split; [apply take_sound; exact S|]. exists of. split; [reflexivity|]. split; [exact K|]. right. right. split_and.
    apply Z.eqb_eq in H0. unfold said. rewrite H0, H1. cbn [signed]. rewrite Z.mul_1_l. split; [assumption|symmetry; exact V].
Qed.

(** All operands: counts agree exactly unless the gate is a parity, where they are equally odd, or the OR of one helper. *)
Definition agrees (k : kind) (vs : list Z) (os : list literal) (ss : list signal) (ls : list literal) (sum : bool) : Prop :=
  if parity k then Z.odd (count xs vs ls) = Z.odd (counted os ss)
  else (count xs vs ls = counted os ss /\ (sum = false -> whole ls = at_most os ss)) \/
       (k = Rule Or /\ exists o s, os = [o] /\ ss = [s] /\ positive o = false /\ 1 <= points o /\
          0 <= count xs vs ls /\ carries s = Z.b2z (count xs vs ls =? 0)).

Lemma resolve_plain sg vs l k alone os ss : (k = Rule Or -> alone = false) -> parity k = false -> Forall2 (heard sg l) os ss ->
  forall ms ls sum ms' ls' sum', sound_signals sg ms vs -> Forall (fun l => known (length vs) (reads l)) ls ->
  resolve_all k alone ms ls sum os = Some (ms', ls', sum') ->
  sound_signals sg ms' vs /\ Forall (fun l => known (length vs) (reads l)) ls' /\
  count xs vs ls' = count xs vs ls + counted os ss /\ (sum' = false -> whole ls' = whole ls + at_most os ss).
Proof.
  intros NA NP F. induction F as [|o s os ss H F IH]; intros ms ls sum ms' ls' sum' S K R; cbn [resolve_all] in R.
  - injection R as <- <- <-. cbn [counted at_most]. split; [exact S|]. split; [exact K|]. split; [|intros _]; lia.
  - destruct (resolve k alone ms ls o) as [[[ms1 ls1] s1]|] eqn:E; [|discriminate R].
    destruct (resolve_right _ _ _ _ _ _ _ _ _ _ _ _ S H E) as [S1 (new & -> & Kn & St)].
    destruct St as [(C & W & O)|[(Q & A & _)|(Q & _)]]; [|rewrite (NA Q) in A; discriminate A|congruence].
    destruct (IH _ _ _ _ _ _ S1 (Forall_rev_append _ _ _ Kn K) R) as (S' & K' & Ct & Wh).
    rewrite count_rev_append in Ct. rewrite whole_rev_append in Wh. cbn [counted at_most].
    split; [exact S'|]. split; [exact K'|]. split; [lia|]. intros Fa. rewrite (Wh Fa), W.
    apply (resolve_all_sum _ _ _ _ _ _ _ _ _ R) in Fa. apply orb_false_iff in Fa. destruct Fa as [_ Fa]. rewrite (O Fa). lia.
Qed.

Lemma resolve_parity sg vs l k alone os ss : parity k = true -> Forall2 (heard sg l) os ss ->
  forall ms ls sum ms' ls' sum', sound_signals sg ms vs -> Forall (fun l => known (length vs) (reads l)) ls ->
  resolve_all k alone ms ls sum os = Some (ms', ls', sum') ->
  sound_signals sg ms' vs /\ Forall (fun l => known (length vs) (reads l)) ls' /\
  Z.odd (count xs vs ls') = Z.odd (count xs vs ls + counted os ss).
Proof.
  intros P F. induction F as [|o s os ss H F IH]; intros ms ls sum ms' ls' sum' S K R; cbn [resolve_all] in R.
  - injection R as <- <- <-. cbn [counted]. rewrite Z.add_0_r. auto.
  - destruct (resolve k alone ms ls o) as [[[ms1 ls1] s1]|] eqn:E; [|discriminate R].
    destruct (resolve_right _ _ _ _ _ _ _ _ _ _ _ _ S H E) as [S1 (new & -> & Kn & St)].
    assert (O : Z.odd (count xs vs new) = Z.odd (points o * said o s)).
    { destruct St as [(C & _)|[(Q & _)|(_ & O)]]; [rewrite C; reflexivity|subst k; discriminate P|exact O]. }
    destruct (IH _ _ _ _ _ _ S1 (Forall_rev_append _ _ _ Kn K) R) as (S' & K' & Ct). split; [exact S'|]. split; [exact K'|].
    rewrite Ct, count_rev_append. cbn [counted]. rewrite !Z.odd_add, O. destruct (Z.odd (points o * said o s)), (Z.odd (count xs vs ls)), (Z.odd (counted os ss)); reflexivity.
Qed.

Lemma resolve_sound sg vs l k os ss ms ms' ls sum : Forall2 (heard sg l) os ss -> sound_signals sg ms vs ->
  resolve_all k (one os) ms [] false os = Some (ms', ls, sum) ->
  sound_signals sg ms' vs /\ Forall (fun l => known (length vs) (reads l)) ls /\ (sum = true -> relaying k = true) /\ agrees k vs os ss ls sum.
Proof.
  intros F S R. assert (Su : sum = true -> relaying k = true).
  { intros Q. destruct (proj1 (resolve_all_sum _ _ _ _ _ _ _ _ _ R) Q); [discriminate|assumption]. }
  unfold agrees. destruct (parity k) eqn:P.
  - destruct (resolve_parity _ _ _ _ _ _ _ P F _ _ _ _ _ _ S (Forall_nil _) R) as (S' & K & O). auto.
  - destruct (one os) eqn:A; [destruct os as [|o [|o2 os]]; try discriminate A|].
    + inversion F as [|? s ? ? H F']; subst. inversion F'; subst. cbn [resolve_all] in R.
      destruct (resolve k true ms [] o) as [[[ms1 ls1] s1]|] eqn:E; [|discriminate R]. injection R as <- <- <-.
      destruct (resolve_right _ _ _ _ _ _ _ _ _ _ _ _ S H E) as [S1 (new & -> & Kn & St)].
      split; [exact S1|]. split; [apply Forall_rev_append; [exact Kn|constructor]|]. split; [exact Su|].
      rewrite count_rev_append, whole_rev_append. change (count xs vs []) with 0. change (whole []) with 0. rewrite !Z.add_0_r.
      destruct St as [(C & W & O)|[(Q & _ & N & P0 & V)|(Q & _)]]; [| |congruence].
      * left. cbn [counted at_most orb]. split; [lia|]. intros Fa. rewrite (O Fa), W. lia.
      * right. split; [exact Q|]. exists o, s. destruct H as (_ & _ & _ & W). repeat split; auto.
    + destruct (resolve_plain _ _ _ _ _ _ _ (fun _ => eq_refl) P F _ _ _ _ _ _ S (Forall_nil _) R) as (S' & K & C & W).
      split; [exact S'|]. split; [exact K|]. split; [exact Su|]. left. split; [exact C|exact W].
Qed.

(** ** Along the gates *)
(** The file holds these claims. *)
Definition filed (bs : map_of (map_of claim)) : Prop := forall l i c w a, get i (bank_of l bs) = Some c -> get l layers = Some (w, a) ->
  nv l i = activate a (c_slope c * dot_from (total_at (c_totals c)) 0 (state net (N.to_nat (N.pred l)) xs) + c_bias c).
Definition within_peaks (bs : map_of (map_of claim)) : Prop := forall l i c, get i (bank_of l bs) = Some c -> Z.abs (nv l i) <= c_peak c.
Definition made_values (st : progress) : list Z := values xs (rev (made st)).
Record sound (st : progress) : Prop := {
  s_made : N.to_nat (made_so_far st) = length (made st);
  s_signals : sound_signals (signals st) (meanings st) (made_values st);
  s_peaks : within_peaks (banks st) }.

Lemma sound_signals_app sg ms vs r : sound_signals sg ms vs -> sound_signals sg ms (vs ++ r).
Proof. intros S g s E. destruct (S g s E) as [R (m & M & Me)]. split; [exact R|]. exists m. split; [exact M|apply means_app; exact Me]. Qed.
Lemma sound_signals_put sg ms vs g s m : sound_signals sg ms vs -> 0 <= carries s <= most s -> means vs m (carries s) (most s) ->
  sound_signals (put g s sg) (put g m ms) vs.
Proof.
  intros S R M h t E. rewrite get_put in E. rewrite get_put. destruct (N.eqb g h); [injection E as <-; split; [exact R|]; exists m; auto|apply S; exact E].
Qed.

Lemma known_count_rev vs ls : count xs vs (rev_append ls []) = count xs vs ls.
Proof. rewrite count_rev_append. change (count xs vs []) with 0. lia. Qed.

(** The meaning of a gate whose value at its count is right. *)
Lemma conclude_right k n vs os ss ls sum is new c v m :
  agrees k vs os ss ls sum -> Forall (fun l => known (length vs) (reads l)) ls -> (sum = true -> relaying k = true) ->
  conclude k n (rev_append ls []) sum = Some (is, new) -> N.to_nat n = length vs ->
  c = counted os ss -> 0 <= c <= at_most os ss -> 0 <= v <= m -> right limit k v c (at_most os ss) = true ->
  let mo := range k (at_most os ss) m in
  let vs' := match new with Some g => vs ++ [gate_value xs vs g] | None => vs end in
  0 <= v <= mo /\ means vs' is v mo.
Proof.
  intros A K Su Co Nn -> C V R. unfold conclude in Co. destruct (parity k && _); [discriminate Co|].
  assert (Kr : Forall (fun l => known (length vs) (reads l)) (rev_append ls [])) by (apply Forall_rev_append; [exact K|constructor]).
  unfold agrees in A. destruct k as [r| | |]; cbn [parity right range relaying] in *.
  - assert (sum = false) as -> by (destruct sum; [discriminate (Su eq_refl)|reflexivity]).
    injection Co as <- <-. cbv zeta. apply Z.eqb_eq in R.
    assert (E : v = gate_value xs vs (CircuitGate r (rev_append ls []))).
    { unfold gate_value. cbn [answers counts]. rewrite known_count_rev, R, whole_rev_append. change (whole []) with 0. rewrite Z.add_0_r.
      destruct r; cbn [rule_value];
        try (destruct A as [[-> W]|(Q & _)]; [rewrite ?(W eq_refl); reflexivity|discriminate Q]); [|cbn in A; rewrite A; reflexivity].
      destruct A as [[-> _]|(_ & o & s & -> & -> & P & W & N0 & Ca)]; [reflexivity|]. cbn [counted]. unfold said. rewrite P, Ca. cbn [signed].
      destruct (Z.eqb_spec (count xs vs ls) 0) as [->|D]; cbn [Z.b2z]; [rewrite Z.mul_0_r; reflexivity|].
      f_equal. destruct (Z.leb_spec 1 (count xs vs ls)); [apply Z.leb_le; lia|lia]. }
    split.
    + destruct r; cbn [rule_value] in R; try lia; subst v; apply b2z_range.
    + cbn [means known source_value signed]. rewrite app_length. cbn [length]. repeat split.
      * lia.
      * unfold at_. rewrite Nn, app_nth2, Nat.sub_diag by lia. exact E.
      * destruct r; cbn [is_sum]; [reflexivity..|discriminate].
  - destruct (rev_append ls []) as [|[s p [|[| |]|]] [|? ?]] eqn:L; try discriminate Co. injection Co as <- <-. cbv zeta.
    destruct A as [[A W]|(Q & _)]; [|discriminate Q]. apply Z.eqb_eq in R. subst v. split; [lia|]. cbn [means].
    rewrite <- A. assert (Cl : count xs vs ls = count xs vs [Literal s p 1]) by (rewrite <- L, known_count_rev; reflexivity).
    rewrite Cl. unfold count, literal_value. cbn [map zsum points positive reads].
    split; [inversion Kr; assumption|]. split; [lia|]. intros Fa. rewrite <- (W Fa).
    assert (Wl : whole ls = whole [Literal s p 1]) by (rewrite <- L, whole_rev_append; change (whole []) with 0; lia).
    rewrite Wl. reflexivity.
  - destruct A as [[A _]|(Q & _)]; [|discriminate Q]. injection Co as <- <-. cbv zeta. apply Z.eqb_eq in R. cbn [means].
    rewrite known_count_rev, A. split; [subst v; apply b2z_range|]. split; [exact Kr|]. split; [lia|exact R].
  - injection Co as <- <-. cbv zeta. split_and. apply eqb_prop in H. cbn [means]. rewrite known_count_rev, A. split; [lia|]. auto.
Qed.

(** What one step keeps, whoever the point is. *)
Definition placed (bs : map_of (map_of claim)) : Prop :=
  forall l i c, get i (bank_of l bs) = Some c -> exists w a, get l layers = Some (w, a) /\ (i < w)%N /\ (1 <= l)%N.

Lemma check_gate_grows st g st' : check_gate limit B layers st g = Some st' -> extends (banks st) (banks st') /\ (placed (banks st) -> placed (banks st')).
Proof.
  unfold check_gate. destruct (_ <? 0); [discriminate|]. destruct (get (level g) layers) as [[w a]|] eqn:L; [|discriminate]. destruct (gather _ _ _ _ _ _) as [t|]; [|discriminate].
  destruct (_ && _) eqn:T; [|discriminate]. split_and. apply N.leb_le in H. destruct (add_claims _ _ _ _ _ _) as [b|] eqn:A; [|discriminate].
  destruct (try_counts _ _ _ _) as [[] m]; [|discriminate]. destruct (resolve_all _ _ _ _ _ _) as [[[ms ls] sum]|]; [|discriminate].
  destruct (conclude _ _ _ _) as [[is new]|]; [|discriminate]. intros E. injection E as <-. cbn [banks].
  destruct (add_claims_right _ _ _ _ _ _ _ A) as (E & _ & O). split.
  - intros l i c G. rewrite bank_put. destruct (N.eqb_spec (level g) l) as [<-|]; [apply E|]; exact G.
  - intros P l i c G. rewrite bank_put in G. destruct (N.eqb_spec (level g) l) as [<-|]; [|exact (P _ _ _ G)].
    destruct (O i c G) as [Gp|(n & _ & -> & W)]; [exact (P _ _ _ Gp)|]. exists w, a. auto.
Qed.
Lemma check_gates_grow gs : forall st st', check_gates limit B layers st gs = Some st' ->
  extends (banks st) (banks st') /\ (placed (banks st) -> placed (banks st')).
Proof.
  induction gs as [|g gs IH]; intros st st' C; cbn [check_gates] in C; [injection C as <-; split; [intros l i c E; exact E|auto]|].
  destruct (check_gate _ _ _ _ _) as [st1|] eqn:E; [|discriminate C]. apply check_gate_grows in E. apply IH in C.
  destruct E as [E P], C as [E' P']. split; [intros l i c G; apply E', E; exact G|auto].
Qed.

Lemma check_gate_sound st g st' : filed (banks st') -> sound st -> check_gate limit B layers st g = Some st' -> sound st'.
Proof.
  intros Fi [Sm Ss Sp] C. unfold check_gate in C. destruct (_ <? 0); [discriminate C|]. destruct (get (level g) layers) as [[w a]|] eqn:L; [|discriminate C].
  destruct (gather _ _ _ _ _ _) as [t|] eqn:G; [|discriminate C]. destruct (_ && _) eqn:T in C; [|discriminate C]. split_and. apply N.leb_le in H.
  destruct (add_claims _ _ _ _ _ _) as [b|] eqn:A; [|discriminate C].
  destruct (try_counts _ _ _ _) as [[] m] eqn:Tr; [|discriminate C]. destruct (resolve_all _ _ _ _ _ _) as [[[ms ls] sum]|] eqn:R; [|discriminate C].
  destruct (conclude _ _ _ _) as [[is new]|] eqn:Co; [|discriminate C]. injection C as <-. cbn [banks] in Fi.
  destruct (gather_right _ _ _ _ _ G) as (ss & F & V & M). unfold tallied at 2 in V. cbn [t_base t_totals t_most] in V, M.
  rewrite no_parts in V. rewrite !Z.add_0_l in V, M.
  pose proof (counted_range _ _ _ _ _ _ Ss F) as Cr. rewrite M in *.
  destruct (add_claims_right _ _ _ _ _ _ _ A) as (Ex & In & On).
  (* Its neurons respond to the count. *)
  assert (Re : forall n, List.In n (neurons g) -> nv (level g) (place n) = response a n (counted (operands g) ss)).
  { intros n I. destruct (In n I) as [_ Gn].
    rewrite (Fi (level g) (place n) (Claim (slope n) (slope n * t_base t + offset n) (t_totals t) (peak a (t_most t) n)) w a).
    2:{ rewrite bank_put, N.eqb_refl. exact Gn. }
    2:{ exact L. }
    cbn [c_slope c_bias c_totals]. unfold response. f_equal. rewrite <- V. unfold tallied. ring. }
  destruct (try_counts_right _ _ _ _ _ _ Tr Cr) as [Rv Ri].
  assert (Ca : carries (Signal (level g) (base g) (read_out g) (size (neurons g)) (range (what g) (at_most (operands g) ss) m))
    = reading a g (counted (operands g) ss)).
  { unfold carries. cbn [constant from carried]. unfold read_out. rewrite reading_sum, (weigh_pushed _ place coefficient). change (weigh _ []) with 0.
    rewrite Z.add_0_l. f_equal. f_equal. apply map_ext_in. intros n I. rewrite (Re n I). reflexivity. }
  destruct (resolve_sound _ _ _ _ _ _ _ _ _ _ F Ss R) as (S1 & K & Su & Ag).
  assert (Nn : N.to_nat (made_so_far st) = length (made_values st)) by (unfold made_values; rewrite values_length, rev_length; exact Sm).
  destruct (conclude_right _ _ _ _ _ _ _ _ _ _ _ _ Ag K Su Co Nn eq_refl Cr Rv Ri) as [Vr Me].
  assert (Mv : values xs (rev (match new with Some c => c :: made st | None => made st end))
    = match new with Some c => made_values st ++ [gate_value xs (made_values st) c] | None => made_values st end).
  { destruct new; [cbn [rev]; apply values_snoc|reflexivity]. }
  constructor; cbn [signals meanings banks made made_so_far].
  - destruct new; cbn [length]; lia.
  - unfold made_values. cbn [made]. rewrite Mv. apply sound_signals_put; [destruct new; [apply sound_signals_app|]; exact S1| |]; rewrite Ca; cbn [most]; assumption.
  - intros l i c Gc. rewrite bank_put in Gc. destruct (N.eqb_spec (level g) l) as [<-|]; [|exact (Sp _ _ _ Gc)].
    destruct (On i c Gc) as [Gp|(n & I & -> & _)]; [exact (Sp _ _ _ Gp)|].
    destruct (In n I) as [_ Gn]. rewrite Gn in Gc. injection Gc as <-. cbn [c_peak]. rewrite (Re n I), M. apply response_peak. lia.
Qed.

Lemma check_gates_sound gs : forall st st', filed (banks st') -> sound st -> check_gates limit B layers st gs = Some st' -> sound st'.
Proof.
  induction gs as [|g gs IH]; intros st st' Fi S C; cbn [check_gates] in C; [injection C as <-; exact S|].
  destruct (check_gate _ _ _ _ _) as [st1|] eqn:E; [|discriminate C]. apply (IH st1); [exact Fi| |exact C].
  apply (check_gate_sound st g); [|exact S|exact E]. destruct (check_gates_grow _ _ _ C) as [Ex _].
  intros l i c w a G L. apply (Fi l i c w a); [apply Ex; exact G|exact L].
Qed.

(** ** Outputs *)
Lemma check_outputs_right st depth outs : sound st -> forall o found all, check_outputs st depth o found outs = Some all ->
  exists new, all = rev found ++ new /\ length new = length outs /\
  forall i l, nth_error new i = Some l -> literal_value xs (made_values st) l = nv depth (o + N.of_nat i).
Proof.
  intros [_ S _]. induction outs as [|out outs IH]; intros o found all C; cbn [check_outputs] in C.
  - injection C as <-. exists []. rewrite rev_append_rev. repeat split. intros [|i] l E; discriminate E.
  - destruct (check_output st depth o out) as [l|] eqn:E; [|discriminate C]. apply IH in C. destruct C as (new & -> & Ln & V).
    exists (l :: new). cbn [rev]. rewrite <- app_assoc. split; [reflexivity|]. split; [cbn [length]; lia|].
    intros [|i] l' E'; cbn [nth_error] in E'.
    + injection E' as <-. unfold check_output in E.
      destruct (get (fst out) (signals st)) as [[fr [| |] [|[i [|[| |]|]] [|? ?]] wi mo]|] eqn:Gs; try discriminate E.
      destruct (get (fst out) (meanings st)) as [[s p sum| | |]|] eqn:Gm; try discriminate E.
      destruct (_ && _) eqn:T in E; [|discriminate E]. split_and. apply N.eqb_eq in H, H1. injection E as <-.
      destruct (S _ _ Gs) as [_ (m & M & Me)]. rewrite Gm in M. injection M as <-. cbn [means] in Me. destruct Me as (_ & V0 & _).
      unfold literal_value. cbn [positive reads]. rewrite <- V0. unfold carries, weigh. cbn [constant from carried map zsum fst snd].
      subst. rewrite N.add_0_r. lia.
    + rewrite (V i l' E'). f_equal. lia.
Qed.
End Along.
