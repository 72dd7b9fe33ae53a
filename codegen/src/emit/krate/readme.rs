//! `README.md`, and its first program.

use std::fmt::Write as _;

use super::about::{RUST_VERSION, from_env, title};
use super::credentials;
use crate::emit::Emitted;
use crate::emit::operations::examples::{Example, imports};
use crate::emit::rust::docs::{Doc, Inline};
use crate::ir::Api;
use crate::items::features::{self, Group, OPERATIONS};
use crate::settings::Settings;

/// Writes `README.md`.
pub fn file(api: &Api, settings: &Settings) -> Emitted {
    let Settings { package, version, .. } = settings;
    let title = Doc::from(title(api)).text();
    let program = without_hidden_lines(&first_program(api, settings));
    let features = features(api);
    let from_env = Doc::from(from_env(api, settings, "`Client::from_env`")).text();
    let credentials = credentials::listed(api);
    let authentication = if api.credentials.are_declared() {
        "The builder of a client has these methods. Each call sends the credentials that its operation needs, and no others. \
         Tokens are\nrequested and refreshed as needed. A call without the credentials that it needs fails before it is sent, \
         except with\n`allow_anonymous`."
    } else {
        "The document declares no credentials, so none are sent. If the server needs some, declare them by an overlay, or \
         send them\nin a header: `ClientBuilder::default_header`."
    };
    let operations = operations(api);
    let text = format!(
        r#"
# {package}

{title}
```rust
{program}```

## Install

```toml
[dependencies]
{package} = {{ path = "…" }}   # or {{ git = "…", rev = "…" }}, or "{version}" from a registry that has it
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}
```

The crate needs Rust {RUST_VERSION} or newer, and a C compiler for ring, the default TLS provider.
`cargo doc --open --package {package}` shows the documentation: requests, files, settings, errors, tests, and an example of each
operation.

## Features

| feature | provides |
|---|---|
{features}
## Authentication

{authentication}

{credentials}
{from_env}
## Operations

{operations}"#
    );
    Emitted { path: "README.md".to_owned(), emitters: "krate/readme.rs".to_owned(), text }
}

/// Writes a row for each group of features.
fn features(api: &Api) -> String {
    let default = [&["client"], &features::default(api)[..]].concat();
    let name = |name: &&str| {
        let mark = if default.contains(name) { " (default)" } else { "" };
        format!("`{name}`{mark}")
    };
    let mut text = String::new();
    for Group { comment, features } in features::groups(api) {
        let names: Vec<_> = features.iter().map(|(feature, _)| name(feature)).collect();
        let _ = writeln!(text, "| {} | {} |", names.join(", "), comment.replace('\n', " "));
    }
    if let [first, ..] = features::of_resources(api)[..] {
        let _ = writeln!(
            text,
            "| {} | All operations and models. Each resource has its own feature, such as `{first}`, for its operations and the models that they reach: see below. |",
            name(&OPERATIONS)
        );
    }
    text
}

fn operations(api: &Api) -> String {
    let has_features = api.resources.iter().any(|resource| resource.feature.is_some());
    let head = if has_features {
        "| method | request | | feature |\n|---|---|---|---|\n"
    } else {
        "| method | request | |\n|---|---|---|\n"
    };
    let rows = Example::all(api).map(|Example { resource, operation, .. }| {
        let feature = resource.feature.as_ref().map(|feature| format!(" `{feature}` |"));
        let summary = operation.summary.as_deref().map(|text| Doc::of_summary(text).inline());
        let about = summary.or_else(|| {
            operation.docs.text.as_deref().and_then(Doc::of_spec).map(|doc| doc.summary())
        });
        let verb = &operation.http_method;
        format!(
            "| `{}` | {} | {} |{}\n",
            resource.call(&operation.method_name).replace("r#", ""),
            Inline::code(&format!("{verb} {}", operation.path)).in_cell(),
            about.map_or_else(String::new, |about| about.in_cell()),
            feature.unwrap_or_default()
        )
    });
    rows.fold(head.to_owned(), |table, row| table + &row)
}

/// Returns a program that makes the simplest call of the API. Lines that begin with `# ` are hidden.
pub fn first_program(api: &Api, settings: &Settings) -> Vec<String> {
    let library = settings.library();
    let mut lines = vec![format!("use {library}::Client;")];
    let simplest = Example::simplest(api);
    let credentials = credentials::example(api, simplest.map(|example| example.operation)).concat();
    let call = simplest.map(Example::statements).unwrap_or_default();
    lines.extend(imports(&library, &call));
    lines.push(String::new());
    lines.extend(simplest.and_then(Example::condition));
    let example = &api.example_base_url;
    let (base_url, comment) = match &api.base_url {
        Some(url) if url.starts_with("https://") => {
            ("Client::DEFAULT_BASE_URL".to_owned(), format!(" // {url:?}"))
        }
        _ => (format!("{example:?}"), String::new()),
    };
    lines.extend([
        format!("# async fn program() -> Result<(), {library}::Error> {{"),
        format!("let client = Client::builder({base_url}){credentials}.build()?;{comment}"),
    ]);
    if !call.is_empty() {
        lines.push(String::new());
        lines.extend(call);
    }
    lines.extend(["# Ok(())".to_owned(), "# }".to_owned()]);
    lines
}

fn without_hidden_lines(program: &[String]) -> String {
    let shown = program.iter().filter(|line| !line.starts_with("# "));
    shown.fold(String::new(), |text, line| text + line + "\n")
}
