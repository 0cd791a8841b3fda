use super::*;
use crate::frame::{self, Format, FrameOptions};
use crate::minimize::Budget;
use crate::model::FitOptions;

fn model(table: &str) -> Model {
    let frame = frame::read_from(table.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default());
    Model::of_frame(frame.expect("a table"), None, &FitOptions::default(), &Budget::unlimited())
        .expect("a model")
}

fn people() -> Model {
    model(&"age,job,risk\n23,cook,low\n48,clerk,high\n61,cook,low\n52,clerk,high\n31,clerk,low\n".repeat(9))
}

#[test]
fn a_short_model_is_not_nested() {
    let model = people();
    for dialect in Dialect::ALL {
        let query = Query { dialect, from: "people", keep: Some(&[]), give: Give::Predictions };
        let sql = select(&model, &query).expect("SQL");
        assert_eq!(sql.matches("SELECT").count(), 1, "{sql}");
        assert!(sql.ends_with("FROM people") && !sql.contains("NOT ("), "{sql}");
        let made = expressions(&model, dialect).expect("expressions");
        assert!(sql.contains(&made.prediction) && sql.contains(&made.probabilities[0]));
    }
}

#[test]
fn results_and_kept_columns_have_different_names() {
    let model = people();
    let keep = ["Prediction".to_owned()];
    let query = Query { dialect: Dialect::DuckDb, from: "t", keep: Some(&keep), give: Give::Predictions };
    let taken = SqlError::Taken { name: "Prediction".to_owned() };
    assert_eq!(select(&model, &query), Err(taken));
    let query = Query { keep: Some(&[]), give: Give::Keys(0), ..query };
    assert!(select(&model, &query).expect("SQL").contains("AS answer"));
}

#[test]
fn names_that_differ_in_case_are_told_apart_or_refused() {
    let model = model(&"a,A,y\n1,5,0\n2,3,0\n3,4,1\n4,2,1\n".repeat(9));
    let query = |dialect| Query { dialect, from: "t", keep: Some(&[]), give: Give::Predictions };
    assert!(select(&model, &query(Dialect::Postgres)).is_ok());
    for dialect in [Dialect::DuckDb, Dialect::Sqlite, Dialect::Spark] {
        let refused = select(&model, &query(dialect));
        assert!(matches!(refused, Err(SqlError::SameName { .. })), "{refused:?}");
    }
}
