//! Compiled networks in runtimes that are not ours: onnxruntime and `onnx.checker` on the ONNX file, NumPy on the safetensors
//! file, and z3's proof that the network, as linear arithmetic, equals the circuit.

#[path = "../../../macchiato-minimize/tests/external/tool.rs"]
mod tool;

#[path = "../made/gates.rs"]
mod made;

mod raw;
mod tuned;

use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::network::{
    AndGate, CompileOptions, Compiled, OrGate, XorGate, compile, to_onnx, to_safetensors,
};
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How much is tried: a little in every run, all of it with `MACCHIATO_FULL=1` (minutes).
struct Effort {
    circuits: usize,
    /// Most inputs for which every point of the cube is tried.
    whole_cube: usize,
    /// Points beyond.
    sampled: usize,
}

fn effort() -> Effort {
    if std::env::var_os("MACCHIATO_FULL").is_some() {
        Effort { circuits: 300, whole_cube: 14, sampled: 1_000_000 }
    } else {
        Effort { circuits: 60, whole_cube: 12, sampled: 20_000 }
    }
}

fn random_circuit(rng: &mut ChaCha8Rng, inputs: usize, stages: usize) -> Staged {
    let stage = |rng: &mut ChaCha8Rng| {
        let mut chosen: Vec<usize> = (0..inputs).filter(|_| rng.random_bool(0.5)).collect();
        if chosen.is_empty() {
            chosen.push(rng.random_range(0..inputs));
        }
        let mut cover = Cover::new(Shape::new(chosen.len(), 1));
        for _ in 0..rng.random_range(0..6) {
            let literals: Vec<Literal> = chosen
                .iter()
                .map(|_| match rng.random_range(0..5) {
                    0 => Literal::Negative,
                    1 => Literal::Positive,
                    _ => Literal::Free,
                })
                .collect();
            cover.push(&literals, &[true]);
        }
        Stage { inputs: chosen, cover }
    };
    let stages = (0..stages).map(|_| stage(rng)).collect();
    Staged { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".into(), stages }
}

/// Circuits over the same inputs: often one, of which there are most in the world.
fn random_circuits(rng: &mut ChaCha8Rng, inputs: usize, stages: usize) -> Vec<Staged> {
    let outputs = [1, 1, 2, 3, 5][rng.random_range(0..5)];
    let mut circuits = Vec::new();
    for output in 1..=outputs {
        let stages = rng.random_range(0..=stages);
        let target = format!("y{output}");
        circuits.push(Staged { target, ..random_circuit(rng, inputs, stages) });
    }
    circuits
}

fn random_options(rng: &mut ChaCha8Rng) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.and = if rng.random() { AndGate::Two } else { AndGate::Narrow };
    options.or = if rng.random() { OrGate::Two } else { OrGate::Deep };
    options.xor =
        [XorGate::Flat, XorGate::Triangle, XorGate::Depth(2), XorGate::Depth(3)][rng.random_range(0..4)];
    (options.literals, options.linear_output) = (rng.random(), rng.random());
    options
}

/// Bit columns of all points, or of random ones.
fn points(rng: &mut ChaCha8Rng, inputs: usize) -> (Vec<Vec<u64>>, usize) {
    let Effort { whole_cube, sampled, .. } = effort();
    let rows = if inputs <= whole_cube { 1 << inputs } else { sampled };
    let mut columns = vec![vec![0u64; bits::words(rows)]; inputs];
    for row in 0..rows {
        let x = if inputs <= whole_cube { row as u64 } else { rng.next_u64() };
        for (i, column) in columns.iter_mut().enumerate() {
            if x >> i & 1 == 1 {
                bits::set(column, row);
            }
        }
    }
    (columns, rows)
}

fn packed_rows(columns: &[Vec<u64>], rows: usize) -> Vec<u8> {
    let bytes = columns.len().div_ceil(8);
    let mut packed = vec![0u8; rows * bytes];
    for (i, column) in columns.iter().enumerate() {
        for row in bits::ones(column) {
            packed[row * bytes + i / 8] |= 1 << (i % 8);
        }
    }
    packed
}

/// Writes the files of one network and says where they are.
fn job(
    folder: &Path,
    name: &str,
    circuits: &[Staged],
    options: &CompileOptions,
    rng: &mut ChaCha8Rng,
) -> Value {
    let compiled = compile_all(circuits, options);
    let inputs = circuits[0].inputs.len();
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    let write = |ending: &str, bytes: &[u8]| {
        std::fs::write(path(ending), bytes).expect("a file in a temporary folder");
    };
    write("onnx", &to_onnx(&compiled.network));
    write("safetensors", &to_safetensors(&compiled.network));
    let (columns, rows) = points(rng, inputs);
    let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let mut answers: Vec<Vec<u64>> = circuits
        .iter()
        .map(|circuit| circuit.gates().evaluate(&slices, bits::words(rows)).swap_remove(0))
        .collect();
    for answers in &mut answers {
        answers[bits::words(rows) - 1] &= bits::last_mask(rows);
    }
    assert_eq!(compiled.network.predict_all(&slices, rows), answers, "our own evaluator, {options:?}");
    write("answers", &answers.iter().flatten().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    let sampled = inputs > effort().whole_cube;
    if sampled {
        write("points", &packed_rows(&columns, rows));
    }
    json!({
        "onnx": path("onnx"), "safetensors": path("safetensors"), "inputs": inputs, "outputs": circuits.len(),
        "linear": options.linear_output, "points": sampled.then(|| path("points")), "answers": path("answers"),
    })
}

fn compile_all(circuits: &[Staged], options: &CompileOptions) -> Compiled {
    let circuits: Vec<Circuit> = circuits.iter().map(Staged::gates).collect();
    let circuits: Vec<&Circuit> = circuits.iter().collect();
    compile(&Circuit::beside(&circuits).expect("circuits over the same inputs"), options)
        .expect("small gates")
}

/// One line of output for each job.
fn run(python: &Path, script: &str, jobs: &[Value]) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/networks").join(script);
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let lines = jobs.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n";
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    writer.join().expect("the writer ends").expect("Python reads its jobs");
    assert!(output.status.success(), "the script failed");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// Random circuits with random gates, written to `folder`.
fn random_jobs(folder: &Path, circuits: usize) -> Vec<Value> {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    (0..circuits)
        .map(|at| {
            let inputs = rng.random_range(1..=24);
            let circuits = random_circuits(&mut rng, inputs, 12);
            let options = random_options(&mut rng);
            job(folder, &at.to_string(), &circuits, &options, &mut rng)
        })
        .collect()
}

#[test]
fn onnxruntime_and_numpy_agree_with_the_circuit() {
    let name = "onnxruntime_and_numpy_agree_with_the_circuit";
    let Some(python) = tool::python_with("onnx, onnxruntime, safetensors", name) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jobs = random_jobs(folder.path(), effort().circuits);
    assert_eq!(run(&python, "run_networks.py", &jobs), vec!["same"; jobs.len()]);
}

/// Writes the files of a deep circuit's network, and its values at the points as float32. None where a gate's sums would leave what
/// float32 holds, which the compiler refuses.
fn deep_job(folder: &Path, name: &str, circuit: &Circuit, rng: &mut ChaCha8Rng) -> Option<Value> {
    let options = random_options(rng);
    let network = match compile(circuit, &options) {
        Ok(compiled) => compiled.network,
        Err(error) if error.to_string().contains("where float32 is exact only below 2^24") => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    let write = |ending: &str, bytes: &[u8]| {
        std::fs::write(path(ending), bytes).expect("a file in a temporary folder");
    };
    write("onnx", &to_onnx(&network));
    write("safetensors", &to_safetensors(&network));
    let inputs = circuit.inputs().len();
    let (columns, rows) = points(rng, inputs);
    let mut values = Vec::new();
    for row in 0..rows {
        let point: Vec<bool> = columns.iter().map(|column| bits::get(column, row)).collect();
        values.extend(circuit.at(&point).into_iter().map(|value| i32::try_from(value).expect("below 2^24")));
    }
    let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    assert!(network.evaluate::<i32>(&slices, rows) == values, "our own evaluator, {name}, {options:?}");
    write("values", &values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect::<Vec<u8>>());
    let sampled = inputs > effort().whole_cube;
    if sampled {
        write("points", &packed_rows(&columns, rows));
    }
    Some(json!({
        "onnx": path("onnx"), "safetensors": path("safetensors"), "inputs": inputs,
        "outputs": circuit.outputs().len(), "linear": options.linear_output,
        "points": sampled.then(|| path("points")), "values": path("values"),
    }))
}

#[test]
fn onnxruntime_and_numpy_agree_with_deep_circuits() {
    let name = "onnxruntime_and_numpy_agree_with_deep_circuits";
    let Some(python) = tool::python_with("onnx, onnxruntime, safetensors", name) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut all, mut refused) = (0, 0);
    for (name, mut circuit) in made::all() {
        // Now and then more inputs than there are points to try all.
        if all % 12 == 11 {
            circuit = made::over(20, all, &mut rng);
        }
        all += 1;
        // One at a time: a million points of several outputs are megabytes.
        match deep_job(folder.path(), "deep", &circuit, &mut rng) {
            Some(job) => assert_eq!(run(&python, "run_networks.py", &[job]), ["same"], "{name}"),
            None => refused += 1,
        }
    }
    assert!(20 * refused < all, "{refused} of {all} circuits have no network");
}

#[test]
fn pytorch_agrees_with_the_circuit() {
    let name = "pytorch_agrees_with_the_circuit";
    let Some(python) = tool::importing("MACCHIATO_TORCH_PYTHON", "torch, safetensors", name) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jobs = random_jobs(folder.path(), 20);
    assert_eq!(run(&python, "load_into_torch.py", &jobs), vec!["same"; jobs.len()]);
}

#[test]
fn a_changed_weight_is_noticed_by_onnxruntime() {
    let Some(python) =
        tool::python_with("onnx, onnxruntime, safetensors", "a_changed_weight_is_noticed_by_onnxruntime")
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut cover = Cover::new(Shape::new(3, 1));
    cover.push(&[Literal::Positive, Literal::Negative, Literal::Free], &[true]);
    let stage = Stage { inputs: vec![0, 1, 2], cover };
    let circuit =
        Staged { inputs: vec!["a".into(), "b".into(), "c".into()], target: "y".into(), stages: vec![stage] };
    let options = CompileOptions::default();
    let right = job(folder.path(), "right", std::slice::from_ref(&circuit), &options, &mut rng);
    let Compiled { mut network, .. } = compile_all(std::slice::from_ref(&circuit), &options);
    network.layers[1].biases[0] += 1;
    std::fs::write(folder.path().join("wrong.onnx"), to_onnx(&network)).expect("a file");
    let mut wrong = right.clone();
    wrong["onnx"] = json!(folder.path().join("wrong.onnx"));
    let answers = run(&python, "run_networks.py", &[right, wrong]);
    assert_eq!(answers[0], "same");
    assert!(answers[1].starts_with("onnxruntime differs"), "{}", answers[1]);
}

#[test]
fn z3_proves_networks_equal_to_circuits() {
    let Some(python) = tool::python_with("onnx, z3", "z3_proves_networks_equal_to_circuits") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut jobs = Vec::new();
    for at in 0..12 {
        let inputs = rng.random_range(1..=5);
        let circuits = random_circuits(&mut rng, inputs, 4);
        let options = random_options(&mut rng);
        let path = folder.path().join(format!("{at}.onnx"));
        std::fs::write(&path, to_onnx(&compile_all(&circuits, &options).network)).expect("a file");
        let points_of = |circuit: &Staged| -> Vec<usize> {
            (0..1usize << inputs)
                .filter(|x| circuit.at(&(0..inputs).map(|i| x >> i & 1 == 1).collect::<Vec<_>>()))
                .collect()
        };
        let on: Vec<Vec<usize>> = circuits.iter().map(points_of).collect();
        jobs.push(json!({"onnx": path, "inputs": inputs, "on": on}));
    }
    // The last job lies about the circuit at one point.
    let mut lie = jobs[0].clone();
    let on = lie["on"][0].as_array_mut().expect("a list");
    if on.pop().is_none() {
        on.push(json!(0));
    }
    jobs.push(lie);
    let answers = run(&python, "prove_networks.py", &jobs);
    assert_eq!(answers[..12], vec!["unsat"; 12]);
    assert_eq!(answers[12], "sat");
}
