//! The durations of the steps of earlier runs, from which the rest of a run is estimated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::host::scratch;
use crate::host::workspace::Workspace;

/// The seconds that each step took the last time, in a file of the target folder.
#[derive(Debug)]
pub struct Times {
    file: PathBuf,
    seconds: BTreeMap<String, u64>,
}

impl Times {
    /// Reads the file, if there is one.
    pub fn read(workspace: &Workspace) -> Self {
        let file = workspace.root().join("target/ci-times.txt");
        let text = fs::read_to_string(&file).unwrap_or_default();
        Self { seconds: parse(&text), file }
    }

    /// Returns the seconds that these steps took; `None` if one of them has not run yet.
    pub fn of<'s>(&self, steps: impl IntoIterator<Item = &'s str>) -> Option<u64> {
        steps.into_iter().map(|step| self.seconds.get(step).copied()).sum()
    }

    /// Records the duration of a step.
    pub fn record(&mut self, step: &str, seconds: u64) {
        self.seconds.insert(step.to_owned(), seconds);
        let text = self.seconds.iter().fold(String::new(), |mut text, (step, seconds)| {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{seconds} {step}");
            text
        });
        // Without the file, the next run has no estimate.
        let _ = scratch::write(&self.file, &text);
    }
}

fn parse(text: &str) -> BTreeMap<String, u64> {
    let entry = |line: &str| {
        let (seconds, step) = line.split_once(' ')?;
        Some((step.to_owned(), seconds.parse().ok()?))
    };
    text.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_if_all_steps_have_run() {
        let times = Times { file: PathBuf::new(), seconds: parse("7 fmt --all\n60 clippy\nx y\n") };
        assert_eq!(times.of(["fmt --all", "clippy"]), Some(67));
        assert_eq!(times.of(["fmt --all", "y"]), None);
        assert_eq!(times.of([]), Some(0));
    }

    #[test]
    fn a_recorded_step_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("times.txt");
        let mut times = Times { file: file.clone(), seconds: BTreeMap::new() };
        times.record("clippy", 60);
        times.record("clippy", 61);
        assert_eq!(parse(&fs::read_to_string(file).unwrap())["clippy"], 61);
    }
}
