//! The settings of an emitted crate.

use std::collections::BTreeMap;

use crate::conventions::Conventions;
use crate::ir::ListKeys;

/// The settings of an emitted crate, which its spec does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The command that writes the crate, which the first line of each file names.
    pub command: String,
    /// The name of the package.
    pub package: String,
    /// The version of the package.
    pub version: String,
    /// Other keys of `[package]` in the manifest, with their values in TOML.
    pub metadata: Vec<(String, String)>,
    /// How the package depends on the runtime: a value in TOML.
    pub runtime: String,
    /// The prefix of the environment variables that the client reads; derived from the package's name if `None`.
    pub env_prefix: Option<String>,
    /// The pattern of the API's error messages that contain the identifier of the request, written as `{id}`.
    pub request_id: Option<String>,
    /// The conventions of the API that its document cannot describe.
    pub conventions: Conventions,
    /// Rust names that replace those derived from the document, by JSON pointer.
    pub renames: BTreeMap<String, String>,
    /// The types of other crates, by the format of their values, or by the place of a schema, which has a `#`.
    pub types: BTreeMap<String, String>,
    /// The dependencies of the crate beside the runtime, with their values in TOML.
    pub dependencies: Vec<(String, String)>,
    /// The derive macros of models, by the paths of types, or by `all`.
    pub derives: BTreeMap<String, Vec<String>>,
    /// The properties that `Debug` does not show, by JSON pointer.
    pub hidden: Vec<String>,
    /// The properties that `Debug` shows although their names are those of secrets, by JSON pointer.
    pub shown: Vec<String>,
    /// The codes of warnings that are not reported. A code that matches no warning is a warning itself.
    pub allowed: Vec<String>,
    /// The operations that are emitted, by `operationId`, `tag:…`, `GET /path` or `x-field:value`; all if there are none.
    pub include: Vec<String>,
    /// Those of them that are not emitted, in the same form.
    pub exclude: Vec<String>,
    /// The schemas that are emitted although no operation reaches them.
    pub kept: Kept,
    /// The query parameter with the token of a page, instead of `page_token`.
    pub page_token: Option<String>,
    /// The token to send for the first page.
    pub first_page_token: Option<String>,
    /// The property with the token of the next page, instead of `next_page_token`.
    pub next_page_token: Option<String>,
    /// The property with the URL of the next page.
    pub next_link: Option<String>,
    /// The query parameter with the number of the first item of a page.
    pub page_offset: Option<String>,
    /// The query parameter with the number of a page.
    pub page_number: Option<String>,
    /// The property with the number of items in all pages.
    pub page_total: Option<String>,
    /// The list of a page with its items, next to other lists.
    pub page_items: Option<String>,
    /// The content of the brackets of a list element in the style `deepObject`.
    pub list_keys: ListKeys,
    /// The header by which the server recognizes the attempts of a call, instead of `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// The data of the event, or the line, after which nothing follows, instead of `[DONE]`.
    pub sentinel: Option<String>,
    /// Whether to leave out the operations that have errors, and write the rest.
    pub keep_going: bool,
    /// Whether the crate has no `AGENTS.md`.
    pub without_agents: bool,
    /// Old paths of items below the crate's root, with the new ones; emitted as deprecated aliases.
    pub aliases: BTreeMap<String, String>,
    /// The name and the text of the file with the aliases. Impossible aliases are errors in it; without a file, they
    /// are ignored.
    pub file: Option<(String, String)>,
    /// Whether the package is a workspace of its own rather than a member of one.
    pub standalone: bool,
}

/// Schemas that are emitted although no operation reaches them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All.
    All,
    /// The schemas under `components` with these keys, and those that webhooks use.
    Named(Vec<String>),
}

impl Default for Kept {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

impl Settings {
    /// Returns the name of the library: the package's as Rust writes it.
    pub(crate) fn library(&self) -> String {
        self.package.replace('-', "_")
    }

    /// Returns the prefix of the environment variables that the client reads.
    pub(crate) fn env_prefix(&self) -> String {
        self.env_prefix.clone().unwrap_or_else(|| self.package.replace('-', "_").to_uppercase())
    }
}
