//! Writes the examples in the documentation of the emitted operations as functions, which `endpoints/documented.rs` calls.

#![allow(clippy::unwrap_used, reason = "a build fails by panicking")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

const FOLDER: &str = "../generated/src/resources";

fn main() {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut functions = String::new();
    let mut list = String::new();
    let mut files: Vec<PathBuf> =
        fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let resource = file.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        for (index, example) in text.split("/// ```no_run\n").skip(1).enumerate() {
            let lines = example.lines().map(|line| line.trim_start().trim_start_matches("///"));
            let lines = lines.take_while(|line| *line != " ```").map(str::trim_start);
            let program: String =
                lines.map(|line| line.trim_start_matches("# ").to_owned() + "\n").collect();
            let program = program.replace("async fn example", "pub async fn example");
            writeln!(functions, "mod {resource}_{index} {{\n{program}}}").unwrap();
            writeln!(list, "Box::pin({resource}_{index}::example(client.clone())),").unwrap();
        }
    }
    let list = format!("pub fn examples(client: &Client) -> Vec<Example> {{\nvec![\n{list}]\n}}\n");
    let path = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("documented.rs");
    fs::write(path, functions + &list).unwrap();
}
