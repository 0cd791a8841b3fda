use super::*;

const STUDY: Study = Study { inputs: 40, support: 5, width: 6, stages: 3, gap: None, delta: 0.05 };

#[test]
fn needed_and_bought_agree() {
    let needed = STUDY.needed(0.05).unwrap();
    let bought = |rows| STUDY.rows_buy(rows).unwrap();
    assert!(bought(needed.consistent).consistent <= 0.05 && bought(needed.consistent - 1).consistent > 0.05);
    assert!(bought(needed.junta.realizable).junta.realizable <= 0.05);
    assert!(bought(needed.excess.sharper).excess.sharper <= 0.05);
    let epsilon = STUDY.pairs_buy(needed.pairs.sharper.averaged).unwrap().sharper.averaged;
    assert!(epsilon <= needed.pairs.epsilon * (1.0 + 1e-9) && epsilon < 0.0625);
    assert!(needed.pairs.to_see < needed.pairs.sharper.needed());
    assert!(needed.pairs.sharper.needed() < needed.pairs.paper.needed());
}

#[test]
fn a_gap_and_wide_rules() {
    let wider = Study { gap: Some(0.25), ..STUDY };
    let (near, far) = (STUDY.needed(0.05).unwrap(), wider.needed(0.05).unwrap());
    assert!(far.pairs.sharper.needed() < near.pairs.sharper.needed() / 10);
    let one = Study { support: 1, width: 1, ..STUDY };
    assert!(one.needed(0.05).unwrap().pairs.to_see < 400);
    assert_eq!(
        Study { width: 4, ..STUDY }.needed(0.05).unwrap_err().to_string(),
        "a stage of 4 inputs cannot hold a rule of 5: give a width of at least 5"
    );
    assert!(Study { gap: Some(1.0), ..STUDY }.needed(0.05).is_err());
    assert!(STUDY.needed(0.0).is_err() && STUDY.needed(f64::NAN).is_err());
}
