use super::*;

fn plan(methods: &[Method]) -> Plan {
    Plan {
        seeds: 2,
        configurations: CONFIGURATIONS[5..7].to_vec(),
        methods: methods.to_vec(),
        budget: Duration::from_secs(5),
        fresh: false,
    }
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&[Method::Paper, Method::Limit]);
    let mut store = Store::open(folder.path(), false).unwrap();
    // An accuracy that no run gives: it must survive.
    store.add(Outcome::new((6, Method::Paper, 1), 0.1, vec![0.123])).unwrap();
    drop(store);
    let results = execute(&plan, folder.path()).unwrap();
    assert_eq!(results.outcomes.len(), 8);
    assert_eq!(results.outcomes[&(6, Method::Paper, 1)].last(), Some(0.123));
    assert!(results.outcomes[&(6, Method::Paper, 0)].last() > Some(0.5));
    let again = execute(&plan, folder.path()).unwrap();
    assert!(again.outcomes[&(6, Method::Paper, 1)].last() > Some(0.5), "a finished run begins anew");
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let draw = || Data::draw(&CONFIGURATIONS[5], 3).unwrap();
    for method in [Method::Paper, Method::RandomK, Method::Auto, Method::FlatRows, Method::FlatEspresso] {
        let measure = || draw().measure(method, Duration::from_mins(1)).unwrap();
        let (one, other) = (measure(), measure());
        assert_eq!((one.accuracy, one.size), (other.accuracy, other.size), "{method:?}");
    }
}

#[test]
fn a_flat_call_without_time_is_told_as_such() {
    let data = Data::draw(&CONFIGURATIONS[8], 0).unwrap();
    for method in [Method::FlatRows, Method::FlatEspresso] {
        let outcome = data.measure(method, Duration::ZERO).unwrap();
        assert_eq!(outcome.ended, outcome::Ended::Budget, "{method:?}");
        assert!(outcome.last().is_some(), "{method:?} with its best so far");
    }
}
