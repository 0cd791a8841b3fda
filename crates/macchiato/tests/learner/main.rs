//! What the learner must do whatever decides inside it, asked through the public interface alone: rows that the tests make
//! themselves go in, and rules are judged on fresh rows.

mod answers;
mod gate;
mod interrupted;
mod made;
