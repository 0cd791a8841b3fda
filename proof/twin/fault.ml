(* The two ways to say no: text that breaks the format of certificates, and everything else that is not as it must be. *)

exception Unreadable of int * string (* line, why *)
exception Rejected of string

let unreadable line why = raise (Unreadable (line, why))
let rejected why = raise (Rejected why)
