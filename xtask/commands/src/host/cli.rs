//! Common parts of command lines.

use clap::builder::ValueParser;
use clap::{Arg, ArgAction};

/// Returns the option `--NAME`, which takes no value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// Returns the option `--NAME VALUE`.
pub fn option(
    name: &'static str,
    value: &'static str,
    parser: impl Into<ValueParser>,
    help: &'static str,
) -> Arg {
    Arg::new(name).long(name).value_name(value).value_parser(parser.into()).help(help)
}
