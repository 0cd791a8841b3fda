// "at risk": an XOR of sums of products
module predict_at_risk(\age%20>%2041 , smoker, x3, \%E6%97%A5%E6%9C%AC%20"*/"%20<%5C>%0A%25 , \at%20risk );
  input \age%20>%2041 ; // "age > 41"
  input smoker;
  input x3;
  input \%E6%97%A5%E6%9C%AC%20"*/"%20<%5C>%0A%25 ; // "日本 \"*\/\" <\\>\n%"
  output \at%20risk ;
  wire stage1;
  assign stage1 = (\age%20>%2041  & ~smoker)
    | \%E6%97%A5%E6%9C%AC%20"*/"%20<%5C>%0A%25 ;
  wire stage2;
  assign stage2 = (smoker & x3);
  wire stage3;
  assign stage3 = (~\age%20>%2041  & ~\%E6%97%A5%E6%9C%AC%20"*/"%20<%5C>%0A%25 )
    | (\age%20>%2041  & \%E6%97%A5%E6%9C%AC%20"*/"%20<%5C>%0A%25 );
  assign \at%20risk  = stage1 ^ stage2 ^ stage3;
endmodule
