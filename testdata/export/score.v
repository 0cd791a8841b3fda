// "at risk", "points", "low": a circuit of gates
module predict(\age%20>%2041 , smoker, c, d, \at%20risk , points, low);
  input \age%20>%2041 ; // "age > 41"
  input smoker;
  input c;
  input d;
  output \at%20risk ;
  output [2:0] points;
  output low;
  wire gate0;
  assign gate0 = (\age%20>%2041  + smoker + !c) >= 2'd2;
  wire gate1;
  assign gate1 = (4'd3 * \age%20>%2041  + 4'd2 * smoker + !gate0 + 4'd4 * d) >= 4'd5;
  wire [2:0] part1;
  assign part1 = \age%20>%2041  + smoker + c + d;
  wire gate2;
  assign gate2 = (part1 == 3'd1) | (part1 >= 3'd3);
  wire gate3;
  assign gate3 = gate1 ^ ~gate2;
  assign \at%20risk  = (smoker & ~d)
    | gate3;
  assign points = 3'd3 * \age%20>%2041  + c + 3'd2 * gate1;
  assign low = ~gate1;
endmodule
