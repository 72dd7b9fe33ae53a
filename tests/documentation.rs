//! The documentation of emitted crates shows what their operations have.

use crate::support::case::{Case, documents};

#[test]
fn examples_of_errors_and_edits_are_those_of_the_crate() {
    for path in documents("cases") {
        let case = Case::read(&path);
        let files = case.output().files;
        let count = |path: &str, text: &str| -> usize {
            let files = files.iter().filter(|file| file.path.starts_with(path));
            files.map(|file| file.text.matches(text).count()).sum()
        };
        let is_failing = count("src/resources/", "FailingEndpoint for") > 0;
        for file in ["src/lib.rs", "README.md"] {
            assert_eq!(count(file, "failure::<") > 0, is_failing, "{}: {file}", case.name);
        }
        let [edits, examples] =
            ["EditEndpoint for", ".set_mask([models::"].map(|text| count("src/resources/", text));
        assert_eq!(edits, examples, "{}", case.name);
    }
}
