//! What stands behind the certified layers of a file that starts from a table: from circuits to probabilities and the class.
//!
//! The nodes do what [`Model::predict_proba`] does, in the same order of additions and in float64, so that a runtime gives the same bits. A
//! circuit's probability is that of its cell: of its answer, or of the answer and the places of its pattern, which a network of its own
//! counts from the bits. Places are followed one after the other through tables of nodes, as in a trie; node 0 is for patterns that are not
//! known.

use super::{DOUBLE, INT64, RawError, TEXT};
use crate::circuit::{Circuit, Gate, Literal, Output, Rule, Source};
use crate::model::{ClassCircuit, ClassType, Keys, Model};
use crate::network::onnx::{
    Message, integer, list_info, node, nodes, tensor, tensors, text_tensor, value_info,
};
use crate::network::{CompileOptions, compile};

/// The nodes, constants and outputs behind the layers.
pub(super) struct Decision<'a, N> {
    pub(super) graph: Message,
    pub(super) constants: Message,
    pub(super) outputs: Vec<Message>,
    named: &'a N,
    /// How many values have been given a name.
    values: usize,
}

impl<'a, N: Fn(&str) -> String> Decision<'a, N> {
    /// The decision of a model, whose network has an output for each circuit.
    pub(super) fn of(model: &Model, named: &'a N) -> Result<Self, RawError> {
        let (graph, constants) = (Message::default(), Message::default());
        let mut made = Self { graph, constants, outputs: Vec::new(), named, values: 0 };
        let counts = made.counts(model)?;
        let answers = made.cast(&named("y"));
        let mut first = 0;
        let mut probabilities = Vec::new();
        for (c, class) in model.circuits().iter().enumerate() {
            let answer = made.column(&answers, c);
            let keys = Keys::of(class);
            let (by_answer, patterns) = class.cells().by_cell(&keys);
            probabilities.push(if patterns.is_empty() {
                made.looked_up(&answer, &by_answer)
            } else {
                let places: Vec<String> =
                    (first..first + keys.limits().len()).map(|place| made.column(&counts, place)).collect();
                first += places.len();
                made.by_pattern((&places, &answer), &keys, (by_answer, &patterns))
            });
        }
        if probabilities.is_empty() {
            // A single class.
            let answer = made.column(&answers, 0);
            probabilities.push(made.looked_up(&answer, &[1.0, 1.0]));
        }
        made.decide(model, &probabilities);
        Ok(made)
    }

    /// The shares of all classes, and the first greatest.
    fn decide(&mut self, model: &Model, probabilities: &[String]) {
        let shares = match (model.positive(), probabilities) {
            (Some(positive), [own]) => {
                let one = self.floats(&[1.0]);
                let other = self.value("Sub", &[&one, own]);
                let [first, second] = if positive == 0 { [own, &other] } else { [&other, own] };
                self.beside(&[first, second])
            }
            (_, [only]) => only.clone(),
            (_, several) => {
                // One after the other: a sum of floats depends on their order.
                let mut sum = several[0].clone();
                for next in &several[1..] {
                    sum = self.value("Add", &[&sum, next]);
                }
                let all = self.beside(&several.iter().collect::<Vec<_>>());
                self.value("Div", &[&all, &sum])
            }
        };
        let best = self.fresh();
        let mut greatest = node("ArgMax", &[&shares], &best);
        greatest.message(5, &integer("axis", 1));
        greatest.message(5, &integer("keepdims", 0));
        self.graph.message(1, &greatest);
        let (element, classes) = labels(model, &(self.named)("classes"));
        self.constants.message(5, &classes);
        let label = (self.named)("label");
        self.graph.message(1, &node("Gather", &[&(self.named)("classes"), &best], &label));
        let in_order = self.whole_numbers(&order(model));
        let probabilities = (self.named)("probabilities");
        let mut ordered = node("Gather", &[&shares, &in_order], &probabilities);
        ordered.message(5, &integer("axis", 1));
        self.graph.message(1, &ordered);
        self.outputs = vec![
            list_info(&label, element),
            value_info(&probabilities, DOUBLE, model.classes().len() as u64),
        ];
    }

    /// The probability of the cell that the places and the answer name.
    fn by_pattern(
        &mut self,
        (places, answer): (&[String], &str),
        keys: &Keys<'_>,
        (by_answer, patterns): ([f64; 2], &[(&[u16], f64)]),
    ) -> String {
        let widths: Vec<usize> = keys.limits().iter().map(|&limit| limit as usize + 1).collect();
        // The patterns ascend, so those that begin alike stand side by side.
        let mut starts: Vec<&[u16]> = vec![&[]];
        let mut reached: Option<String> = None;
        for (place, (value, &width)) in places.iter().zip(&widths).enumerate() {
            let mut table = vec![0i64; (starts.len() + usize::from(place > 0)) * width];
            let mut next: Vec<&[u16]> = Vec::new();
            for (pattern, _) in patterns {
                let start = &pattern[..=place];
                if next.last() != Some(&start) {
                    next.push(start);
                    let before = starts.binary_search(&&start[..place]).unwrap_or_default();
                    let from = before + usize::from(place > 0);
                    table[from * width + counted(keys, place, pattern[place])] = next.len() as i64;
                }
            }
            let last = place + 1 == places.len();
            let scale = if last { 2 } else { widths[place + 1] as i64 };
            for node in &mut table {
                *node *= scale;
            }
            let at = reached.map_or_else(|| value.clone(), |reached| self.value("Add", &[&reached, value]));
            let table = self.whole_numbers(&table);
            reached = Some(self.value("Gather", &[&table, &at]));
            starts = next;
        }
        let mut cells = by_answer.to_vec();
        cells.extend(patterns.iter().flat_map(|&(_, probability)| [probability; 2]));
        let reached = reached.unwrap_or_default();
        let at = self.value("Add", &[&reached, answer]);
        self.looked_up(&at, &cells)
    }

    /// The places of the patterns of all circuits that have some, counted from the bits, as whole numbers side by side.
    fn counts(&mut self, model: &Model) -> Result<String, RawError> {
        let mut parts = Vec::new();
        for (c, class) in model.circuits().iter().enumerate() {
            if !class.cells().by_cell(&Keys::of(class)).1.is_empty() {
                parts.push(places(class, c).map_err(|error| RawError::Counts(error.into()))?);
            }
        }
        if parts.is_empty() {
            return Ok(String::new());
        }
        let all = Circuit::beside(&parts.iter().collect::<Vec<_>>())
            .map_err(|error| RawError::Counts(error.into()))?;
        let network = compile(&all, &CompileOptions::default()).map_err(RawError::Counts)?.network;
        let named = self.named;
        let own = |name: &str| named(&if name == "x" { name.to_owned() } else { format!("count_{name}") });
        nodes(&mut self.graph, &network, own);
        tensors(&mut self.constants, &network, own);
        let counted = own("y");
        Ok(self.cast(&counted))
    }

    // ---- Nodes -------------------------------------------------------------------------------------------------------

    fn fresh(&mut self) -> String {
        self.values += 1;
        (self.named)(&format!("v{}", self.values))
    }

    fn value(&mut self, operator: &str, inputs: &[&str]) -> String {
        let value = self.fresh();
        self.graph.message(1, &node(operator, inputs, &value));
        value
    }

    fn cast(&mut self, floats: &str) -> String {
        let value = self.fresh();
        let mut cast = node("Cast", &[floats], &value);
        cast.message(5, &integer("to", INT64.cast_signed()));
        self.graph.message(1, &cast);
        value
    }

    /// One column, as a column.
    fn column(&mut self, of: &str, number: usize) -> String {
        let number = self.whole_numbers(&[number as i64]);
        let value = self.fresh();
        let mut gather = node("Gather", &[of, &number], &value);
        gather.message(5, &integer("axis", 1));
        self.graph.message(1, &gather);
        value
    }

    fn beside(&mut self, columns: &[&String]) -> String {
        let value = self.fresh();
        let names: Vec<&str> = columns.iter().map(|column| column.as_str()).collect();
        let mut concat = node("Concat", &names, &value);
        concat.message(5, &integer("axis", 1));
        self.graph.message(1, &concat);
        value
    }

    /// Entries of a table.
    fn looked_up(&mut self, at: &str, table: &[f64]) -> String {
        let table = self.floats(table);
        self.value("Gather", &[&table, at])
    }

    fn floats(&mut self, values: &[f64]) -> String {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(DOUBLE, values.len(), &bytes)
    }

    fn whole_numbers(&mut self, values: &[i64]) -> String {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(INT64, values.len(), &bytes)
    }

    fn constant(&mut self, element: u64, length: usize, bytes: &[u8]) -> String {
        let name = self.fresh();
        self.constants.message(5, &tensor(&name, element, &[length as u64], bytes));
        name
    }
}

/// What the network counts where a place of a pattern has this number.
fn counted(keys: &Keys<'_>, place: usize, number: u16) -> usize {
    match keys {
        Keys::Stages(stages) if number > 0 => stages[place].cover.terms() + 1 - usize::from(number),
        _ => number.into(),
    }
}

/// A circuit that counts the places of a circuit's patterns.
fn places(class: &ClassCircuit, number: usize) -> Result<Circuit, crate::circuit::CircuitError> {
    let inputs = class.inputs().to_vec();
    let named = |place: usize, gate| Output::new(format!("{number}.{place}"), Literal::gate(gate));
    match Keys::of(class) {
        Keys::Count(circuit, top, _) => {
            let (mut gates, sum) = (circuit.gates().to_vec(), Gate::new(Rule::Sum, top.literals.clone()));
            let last = circuit.outputs().first().map(|output| output.literal.source);
            let read =
                gates.iter().flat_map(|gate| &gate.literals).any(|literal| Some(literal.source) == last);
            let at = match last {
                Some(Source::Gate(gate)) if !read => {
                    gates[gate] = sum;
                    gate
                }
                _ => {
                    gates.push(sum);
                    gates.len() - 1
                }
            };
            Circuit::new(inputs, gates, vec![named(0, at)])
        }
        Keys::Stages(stages) => {
            let (mut gates, mut outputs) = (Vec::new(), Vec::new());
            for (place, stage) in stages.iter().enumerate() {
                let mut terms = Vec::new();
                for term in stage.terms() {
                    let literals =
                        term.iter().map(|&(input, positive)| Literal::input(input).signed(positive));
                    gates.push(Gate::new(Rule::And, literals.collect()));
                    terms.push(Literal::gate(gates.len() - 1));
                }
                // "Does one of the first j hold?" is true for n + 1 - i of n questions where the i-th term is the first that does.
                let mut reached = Vec::new();
                for j in 1..=terms.len() {
                    gates.push(Gate::new(Rule::Or, terms[..j].to_vec()));
                    reached.push(Literal::gate(gates.len() - 1));
                }
                gates.push(Gate::new(Rule::Sum, reached));
                outputs.push(named(place, gates.len() - 1));
            }
            Circuit::new(inputs, gates, outputs)
        }
        Keys::Nothing => Circuit::new(inputs, Vec::new(), Vec::new()),
    }
}

/// The classes in the model's order as a tensor called `name`, and its element type: whole numbers (also for Booleans), floats, or texts.
fn labels(model: &Model, name: &str) -> (u64, Message) {
    let classes = model.classes();
    let length = [classes.len() as u64];
    match model.class_type() {
        ClassType::Boolean | ClassType::Integer { .. } => {
            let whole = |class: &String| match class.as_str() {
                "False" => 0,
                "True" => 1,
                // Those above 2^63 wrap as NumPy's do.
                _ => class.parse::<i128>().unwrap_or_default() as i64,
            };
            let bytes: Vec<u8> = classes.iter().flat_map(|class| whole(class).to_le_bytes()).collect();
            (INT64, tensor(name, INT64, &length, &bytes))
        }
        ClassType::Float { .. } => {
            let float = |class: &String| class.parse::<f64>().unwrap_or_default();
            let bytes: Vec<u8> = classes.iter().flat_map(|class| float(class).to_le_bytes()).collect();
            (DOUBLE, tensor(name, DOUBLE, &length, &bytes))
        }
        ClassType::Text | ClassType::Fixed { .. } => (TEXT, text_tensor(name, TEXT, classes)),
    }
}

/// The numbers of the classes in the order of scikit-learn's `classes_`: texts by their characters, also where they are numbers.
fn order(model: &Model) -> Vec<i64> {
    let mut order: Vec<usize> = (0..model.classes().len()).collect();
    if matches!(model.class_type(), ClassType::Text | ClassType::Fixed { .. }) {
        order.sort_by_key(|&class| &model.classes()[class]);
    }
    order.into_iter().map(|class| class as i64).collect()
}
