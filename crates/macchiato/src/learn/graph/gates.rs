//! A grown graph as gates: each node chooses among the values of its branches, from the leaves up.

use super::super::net::{Net, Value};
use super::grow::{Graph, Slot};

/// The value of each of the first `size` slots, as if the graph had stopped growing there; slot 0 is the root's.
pub(super) fn values(graph: &Graph, size: usize, signals: &[Value], net: &mut Net<'_>) -> Vec<Value> {
    let size = size.min(graph.slots.len());
    let mut values = vec![Value::Constant(false); size];
    for at in (0..size).rev() {
        values[at] = match &graph.slots[at] {
            Slot::Joined(edge) if edge.slot < size => values[edge.slot].signed(!edge.flip),
            Slot::Split(test, edges) if edges.iter().flatten().all(|edge| edge.slot < size) => {
                let known: Vec<Option<(usize, Value)>> = edges
                    .iter()
                    .map(|edge| {
                        edge.map(|edge| (graph.rows[edge.slot], values[edge.slot].signed(!edge.flip)))
                    })
                    .collect();
                let cells: Vec<Value> = (0..known.len()).map(|cell| nearest(&known, cell)).collect();
                let tested: Vec<Value> = test.iter().map(|&signal| signals[signal]).collect();
                net.cells(&tested, &cells)
            }
            _ => Value::Constant(graph.majority[at]),
        };
    }
    values
}

/// The value of a cell, or, where no row came to it, of the neighbour to which most did.
fn nearest(known: &[Option<(usize, Value)>], cell: usize) -> Value {
    if let Some((_, value)) = known[cell] {
        return value;
    }
    let near = (0..known.len()).filter_map(|other| {
        known[other].map(|(rows, value)| (usize::MAX - (other ^ cell).count_ones() as usize, rows, value))
    });
    near.max_by_key(|&(nearness, rows, _)| (nearness, rows)).map_or(Value::Constant(false), |near| near.2)
}
