//! Shared by all commands: files, the terminal, exit codes, and the programs that they run.

pub mod annotation;
pub mod cargo;
pub mod cli;
pub mod exit;
pub mod invalid;
pub mod output_dir;
pub mod paths;
pub mod progress;
pub mod read;
pub mod scratch;
pub mod table;
pub mod terminal;
pub mod toml_file;
pub mod workspace;
pub mod write;
