//! `AGENTS.md`: what those need who write programs without reading the crate, and nothing that its README has.

use std::collections::BTreeMap;

use super::about::title;
use crate::emit::operations::examples::Example;
use crate::emit::rust::docs::Doc;
use crate::emit::source_file::{Emitted, SourceFile};
use crate::ir::Api;
use crate::items::{Item, MemberKind, MemberRef, PublicApi, requests};
use crate::settings::Settings;

/// Maximum size of the page in bytes: agents read it before each task.
const MAX_SIZE: usize = 12 * 1024;

/// The methods of requests that send more than one, or less than a body.
const METHODS: [&str; 4] = ["items", "send_edit", "set_mask", "wait"];

/// Writes `AGENTS.md`.
pub fn file(api: &Api, list: &PublicApi, settings: &Settings) -> SourceFile {
    let library = settings.library();
    let title = Doc::from(title(api)).text();
    let example = Example::simplest(api).map(|it| test(it, &library)).unwrap_or_default();
    let page = |operations: &str| {
        let text = format!(
            r#"
# {library}

{title}
[README.md](README.md) lists the features, the credentials and the routes. [api.txt](api.txt) lists all public items with their
signatures, and the setters of each request: search it before you write a name.

## Calls

`client.CALL.await?` sends a request, and returns the type after the arrow. Required values are arguments; optional values have
setters, which are called before `.await`. `items()` reads all pages, `wait()` waits for the end of an operation, `send_edit()`
and `set_mask()` change parts of an object.

{operations}
## Mistakes

- Only `.await` sends a request. `tokio::spawn`, `join_all` and `buffer_unordered` take `.send()`.
- Pages are not an iterator: `while let Some(item) = items.try_next().await?`.
- Models have no literals: use `Model::new(…)` with the required properties, or `Model::default()`, then setters.
- Models that only replies carry have `new` and setters only with the feature `test-util`.
- Enums and unions are open: a `match` needs an arm for `Unknown`.
- A setter does not take an option: `.set_if_some(option, Type::setter)`.
- A date-time is not a text: `"2030-01-01T00:00:00Z".parse()?`.
- Free-form objects are maps: `map([("key", "value")])`.
- There is one `Error`: `is_timeout()`, `status()`, and `failure::<Request>()` for a described body.
- The builder has the settings: `ClientBuilder::from_env()?.timeout(…).build()?`.
- `send_blocking()` needs the feature `blocking`, and fails on a thread that drives a single-threaded runtime of tokio.
- Without default features there are only models: a client needs the feature `client`, or `reqwest` and one for TLS.
{example}"#
        );
        let (path, emitters) = ("AGENTS.md".to_owned(), "krate/agents.rs".to_owned());
        Emitted { path, emitters, text }.finish(&settings.command)
    };
    let room = MAX_SIZE.saturating_sub(page("").text.len());
    page(&fitting(list, room))
}

/// Returns the operations, or else the resources with the operations that belong to none, or else as many of these as
/// there is room for.
fn fitting(list: &PublicApi, room: usize) -> String {
    let mut needs: BTreeMap<String, usize> = BTreeMap::new();
    let operations: Vec<_> = list
        .operations()
        .filter_map(|(method, path)| Some((method, list.items.get(path)?)))
        .collect();
    for (_, request) in &operations {
        *needs.entry(needed(request)).or_default() += 1;
    }
    let usual = needs.into_iter().max_by_key(|(_, count)| *count).map(|(text, _)| text);
    let usual = usual.unwrap_or_default();
    let rows = operations.iter().map(|(method, request)| {
        let own = needed(request);
        let needs = if own == usual { String::new() } else { format!("; needs {own}") };
        row(list, *method, request) + &needs + "\n"
    });
    let rows: Vec<_> = rows.collect();
    let head = format!("Operations need {usual}, unless the line says otherwise.\n");
    let all = format!("{head}\n{}", rows.concat());
    if all.len() <= room {
        return all;
    }
    let mut resources: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others = Vec::new();
    for ((method, _), row) in operations.iter().zip(rows) {
        match list.accessor(method.path) {
            Some(accessor) => *resources.entry(accessor.name).or_default() += 1,
            None => others.push(row),
        }
    }
    let rows = resources.iter().map(|(name, count)| format!("- `client.{name}()`: {count}\n"));
    let rows: Vec<_> = rows.chain(others).collect();
    let mut text = format!(
        "{head}Where only the number of a resource's operations is here, `api.txt` lists them, below its handle.\n\n"
    );
    let mut left = rows.len();
    for row in rows {
        // With the last line.
        if text.len() + row.len() + 80 > room {
            break;
        }
        left -= 1;
        text += &row;
    }
    if left == 0 { text } else { text + &format!("- and {left} more, which `api.txt` has\n") }
}

/// Returns the credentials of a request, as methods of the builder.
fn needed(request: &Item) -> String {
    let sets = request.operation().map(|it| it.credentials.as_slice()).unwrap_or_default();
    let sets: Vec<_> = sets.iter().map(|set| set.join(" and ")).collect();
    if sets.is_empty() { "no credentials".to_owned() } else { format!("`{}`", sets.join("` or `")) }
}

/// Returns an operation with its arguments, its result and what else its request can do.
fn row(list: &PublicApi, method: MemberRef<'_>, request: &Item) -> String {
    let signature = method.method().map(|method| &method.signature);
    let arguments = signature.into_iter().flat_map(|it| &it.arguments);
    let arguments: Vec<_> =
        arguments.map(|argument| format!("{}: {}", argument.name, argument.ty)).collect();
    let output = request.output().map(ToString::to_string).unwrap_or_default();
    let methods = METHODS.into_iter().filter(|name| {
        let key = (MemberKind::Method, (*name).to_owned());
        request.members.contains_key(&key) || (*name == "items" && request.paged_items().is_some())
    });
    let methods = methods.fold(String::new(), |text, name| text + ", `" + name + "()`");
    format!("- `{}({})` → `{output}`{methods}", list.call(method), arguments.join(", "))
}

/// Returns the section on tests, with a program.
fn test(Example { resource, operation, .. }: Example<'_>, library: &str) -> String {
    let request = requests::request(resource, operation);
    format!(
        r#"
## Tests without a server

With the feature `test-util`. `reply` and `reply_json` check the reply against the document; `respond` does not.

```rust
use {library}::runtime::testing::{{FakeTransport, Reply}};

fn client() -> Result<({library}::Client, FakeTransport), {library}::Error> {{
    let fake = FakeTransport::new();
    fake.respond::<{library}::{request}>(Reply::status(404));
    let builder = {library}::Client::builder("https://api.test").transport(fake.clone());
    Ok((builder.allow_anonymous().build()?, fake)) // after the calls: `fake.requests()`, `fake.verify()`
}}
```
"#
    )
}
