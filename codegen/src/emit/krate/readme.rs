//! `README.md`, and its first program.

use std::fmt::Write as _;

use crate::emit::operations::examples::Example;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::{Emitted, Settings};
use crate::ir::Api;

/// Writes `README.md`.
pub fn file(api: &Api, settings: &Settings) -> Emitted {
    let mut text = String::new();
    let _ = write!(
        text,
        "\n# {}\n\n{}\n```rust\n{}```\n\n## Operations\n\n",
        settings.package,
        Doc::from(title(api)).text(),
        shown(&first_program(api, settings))
    );
    text.push_str("| method | request | |\n|---|---|---|\n");
    for resource in &api.resources {
        for operation in &resource.operations {
            let summary = operation.summary.as_deref().map(Inline::plain);
            let about = summary.or_else(|| {
                operation.docs.text.as_deref().and_then(Doc::of_spec).map(|doc| doc.summary())
            });
            let verb = operation.http_method;
            let _ = writeln!(
                text,
                "| `{}().{}` | {} | {} |",
                resource.accessor.bare(),
                operation.method_name.bare(),
                Inline::code(&format!("{verb} {}", operation.path)).in_cell(),
                about.map_or_else(String::new, |about| about.in_cell())
            );
        }
    }
    Emitted { path: "README.md".to_owned(), emitters: "krate/readme.rs".to_owned(), text }
}

/// Returns the title of the crate, a sentence.
pub fn title(api: &Api) -> Inline {
    text!("Typed bindings of the {}, version {}.", api_name(api), Inline::plain(&api.version))
}

/// Returns the name of an API for a sentence.
pub fn api_name(api: &Api) -> Inline {
    let title = Inline::plain(&api.title);
    let has_word = api.title.split_whitespace().any(|word| word == "API");
    if has_word { title } else { text!("{} API", title) }
}

/// Returns a program that makes the simplest call of the API. Lines that begin with `# ` are hidden.
pub fn first_program(api: &Api, settings: &Settings) -> Vec<String> {
    let library = settings.library();
    let mut lines = vec![format!("use {library}::Client;")];
    let simplest = Example::simplest(api);
    let call = simplest.map(Example::statements).unwrap_or_default();
    if call.iter().any(|line| line.contains("models::")) {
        lines.push(format!("use {library}::models;"));
    }
    lines.push(String::new());
    lines.extend(simplest.and_then(Example::condition));
    lines.extend([
        format!("# async fn program() -> Result<(), {library}::Error> {{"),
        format!(
            "let client = Client::builder({:?}).bearer_token(\"…\").build()?;",
            api.example_base_url
        ),
    ]);
    if !call.is_empty() {
        lines.push(String::new());
        lines.extend(call);
    }
    lines.extend(["# Ok(())".to_owned(), "# }".to_owned()]);
    lines
}

fn shown(program: &[String]) -> String {
    let shown = program.iter().filter(|line| !line.starts_with("# "));
    shown.fold(String::new(), |text, line| text + line + "\n")
}
