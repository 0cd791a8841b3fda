; "at risk": an XOR of sums of products
(set-logic QF_UF)
(declare-const |age > 41| Bool)
(declare-const smoker Bool)
(declare-const x3 Bool)
(declare-const |日本 "*/" <%5C>%0A%25| Bool)
(define-fun stage1 () Bool (or
  (and |age > 41| (not smoker))
  |日本 "*/" <%5C>%0A%25|))
(define-fun stage2 () Bool (and smoker x3))
(define-fun stage3 () Bool (or
  (and (not |age > 41|) (not |日本 "*/" <%5C>%0A%25|))
  (and |age > 41| |日本 "*/" <%5C>%0A%25|)))
(define-fun |at risk| () Bool (xor stage1 stage2 stage3))
