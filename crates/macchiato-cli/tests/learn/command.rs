//! Running the command in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// `y = (a XOR b) XOR (c AND d)` on 14 of the 16 rows: two stages of three inputs.
pub(crate) const ROWS: &str = "a,b,c,d,y\n0,0,0,0,0\n1,0,0,0,1\n0,1,0,0,1\n1,1,0,0,0\n0,0,1,0,0\n1,0,1,0,1\n0,1,1,0,1\n\
                               1,1,1,0,0\n0,0,0,1,0\n1,0,0,1,1\n0,1,0,1,1\n1,1,0,1,0\n0,0,1,1,1\n1,0,1,1,0\n";

/// A folder that holds `data.csv` and what a test puts there.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(data: &str) -> Self {
        let folder = Self(TempDir::new().expect("a temporary folder"));
        folder.put("data.csv", data.as_bytes());
        folder
    }

    /// With `model.json`, learned from [`ROWS`] by the paper's method.
    pub(crate) fn with_model() -> Self {
        let folder = Self::new(ROWS);
        folder.run("fit data.csv --method paper -k 3 --quiet --out model.json").succeeds();
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path().join(name), bytes).expect("written");
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a text file")
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("a folder");
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `macchiato` with these words.
    pub(crate) fn run(&self, words: &str) -> Ran {
        self.pipe(words, "")
    }

    /// The same with something on standard input.
    pub(crate) fn pipe(&self, words: &str, stdin: &str) -> Ran {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
        command.current_dir(self.path()).args(words.split_whitespace()).write_stdin(stdin);
        Ran(command.output().expect("the command starts"))
    }

    /// Fails with exit code 2 and exactly this line (or one that goes on where this one ends in `...`), prints no result
    /// and leaves no file behind.
    pub(crate) fn refuses(&self, words: &str, line: &str) {
        let before = self.names();
        let ran = self.run(words);
        match line.strip_suffix("...") {
            None => assert_eq!(ran.stderr(), format!("macchiato: {line}\n"), "{words}"),
            Some(start) => {
                assert!(
                    ran.stderr().starts_with(&format!("macchiato: {start}")),
                    "{words}: {}",
                    ran.stderr()
                );
                assert_eq!(ran.stderr().lines().count(), 1, "{words}");
            }
        }
        assert_eq!((ran.0.status.code(), ran.stdout()), (Some(2), ""), "{words}");
        assert_eq!(self.names(), before, "{words}");
    }
}

/// What a run left on its streams.
pub(crate) struct Ran(pub(crate) Output);

impl Ran {
    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).expect("text")
    }

    pub(crate) fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).expect("text")
    }

    /// Standard output of a run that went well.
    pub(crate) fn succeeds(&self) -> &str {
        assert_eq!(self.0.status.code(), Some(0), "{}", self.stderr());
        self.stdout()
    }

    /// Its one JSON object, with nothing beside it.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!((self.succeeds().lines().count(), self.stderr()), (1, ""));
        serde_json::from_str(self.stdout()).expect("JSON")
    }
}
