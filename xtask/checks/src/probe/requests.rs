//! A program that makes all calls of a crate: what it sends before and after `migrate`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ::codegen::Output;
use ::codegen::compare::Class;
use ::codegen::items::{MemberRef, Path as ItemPath, PublicApi};

use super::project::manifest;
use super::users::Users;
use super::uses;
use super::values::Values;
use commands::host::exit::{Context, Fallible};
use commands::host::scratch;
use commands::host::terminal::{Terminal, pluralize};
use openapi_bindings::migrate::{Crates, Report, Shadow};

const FILE: &str = "program/src/main.rs";

/// The program in its manifest.
const TARGET: &str = "[[bin]]\nname = \"program\"\npath = \"src/main.rs\"";

/// The calls of all operations of the old crate.
pub struct Calls {
    list: Vec<Call>,
    /// The setters of the client's builder, such as the methods for credentials.
    builder: Vec<String>,
    features: Vec<String>,
}

/// The call of an operation, with all arguments and setters.
struct Call {
    name: String,
    /// An expression with the client `c`.
    code: String,
}

/// What has become of the requests of calls.
#[derive(Default)]
pub struct Compared {
    same: usize,
    /// The calls that the client does not send, such as credentials to another host.
    refused: usize,
    /// The calls that `migrate` lists, as they do not compile or send something else, and those that a compatible change
    /// lets send more.
    listed: usize,
    /// The calls whose requests differ although nothing is listed.
    pub differences: Vec<String>,
}

impl Compared {
    /// Returns the numbers as a text.
    pub fn summary(&self) -> String {
        let same = pluralize(self.same, "call");
        format!("{same} with equal requests, {} not sent, {} listed", self.refused, self.listed)
    }
}

/// The requests of a run, by the numbers of the calls.
type Sent = BTreeMap<usize, Vec<String>>;

impl Calls {
    /// Returns the calls of the old crate; `None` if it has no operation.
    pub fn of(crates: &Crates) -> Option<Self> {
        let api = &crates.old.public_api;
        let calls = api.operations().flat_map(|operation| {
            [false, true]
                .into_iter()
                .filter_map(move |is_whole| Call::new(operation, api, is_whole))
        });
        let list: Vec<Call> = calls.collect();
        let features = uses::features(api).filter(|name| !uses::OF_TRANSPORT.contains(name));
        let features = features.map(str::to_owned).collect();
        let builder = api.items.get_key_value(&ItemPath::new(ItemPath::BUILDER));
        let builder = builder.map(|(path, item)| Values::new(api).setters(path, item));
        let builder = builder.unwrap_or_default();
        (!list.is_empty()).then_some(Self { list, builder, features })
    }

    /// Writes the program in place of another one.
    pub fn write(&self, folder: &Path, package: &str) -> Fallible {
        let source = folder.join("src");
        fs::remove_dir_all(&source).context("delete", &source)?;
        let features = self.features.iter().map(String::as_str);
        let mut manifest = manifest(TARGET, package, features);
        manifest.push_str("tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n");
        scratch::write(&folder.join("Cargo.toml"), &manifest)?;
        scratch::write(&source.join("main.rs"), &self.text())
    }

    /// Returns the text of the program: what can be left by `migrate` is on a line of its own.
    fn text(&self) -> String {
        let setters =
            self.builder.iter().map(|setter| format!("    let client = client{setter};\n"));
        let calls = self.list.iter().enumerate().map(|(number, Call { code, .. })| {
            let function = format!("async fn f(c: &subject::Client) {{ drop({code}.await) }}");
            format!(
                "    println!(\"#{number}\"); {{ use crate::prelude::*; {function} f(&client).await; }}\n"
            )
        });
        let build = "    let client = client.build().unwrap();\n".to_owned();
        let lines: String = setters.chain([build]).chain(calls).collect();
        [PRELUDE, &lines, "}\n"].concat()
    }

    /// Runs the program, migrates it, and runs it again.
    pub fn compare(
        &self,
        users: &Users,
        crates: &Crates,
        terminal: &Terminal,
    ) -> Fallible<Compared> {
        let copy = Shadow::new(&users.workspace, terminal)?;
        let before = run(users, &copy, &crates.old, &BTreeSet::new())?;
        drop(copy);
        let copy = Shadow::new(&users.workspace, terminal)?;
        let report = Report::of(&users.workspace, &copy, crates, &users.package)?;
        let lines = report.places().map(|place| place.line).collect();
        let after = run(users, &copy, &crates.new, &lines)?;

        let marked = report.wire.iter().flat_map(|row| &row.left).map(|place| place.line);
        let all: BTreeSet<usize> = report.places().map(|place| place.line).chain(marked).collect();
        let first = PRELUDE.lines().count() + self.builder.len() + 2;
        let listed = all.iter().filter_map(|line| line.checked_sub(first));
        let mut listed: BTreeSet<usize> = listed.filter(|it| *it < self.list.len()).collect();
        if listed.len() < all.len() {
            // The client is another one.
            listed.extend(0..self.list.len());
        }
        let mut compared = Compared { listed: listed.len(), ..Compared::default() };
        // With a compatible change, such as optional credentials, a call can send more, and with another type another value.
        let rows = report.rows.iter().map(|row| &row.headline);
        let rows = rows.filter(|it| it.class == Class::Compatible || it.row.word == "Retyped");
        let used_by = rows.flat_map(|it| &it.used_by);
        let accepted: BTreeSet<&String> = used_by.filter_map(|path| path.first()).collect();
        let others = self.list.iter().enumerate().filter(|(number, _)| !listed.contains(number));
        for (number, Call { name, .. }) in others {
            let [old, new] = [before.get(&number), after.get(&number)];
            if old != new && accepted.contains(name) {
                compared.listed += 1;
            } else if old != new {
                compared.differences.push(format!("{name}\n- {old:?}\n+ {new:?}"));
            } else if old.is_some_and(|requests| !requests.is_empty()) {
                compared.same += 1;
            } else {
                compared.refused += 1;
            }
        }
        Ok(compared)
    }
}

impl Call {
    /// Returns the call with the body as a whole, or with its properties: the body would replace them.
    fn new(
        (method, request): (MemberRef<'_>, &ItemPath),
        api: &PublicApi,
        is_whole: bool,
    ) -> Option<Self> {
        let name = api.call(method);
        let values = Values::new(api);
        let arguments = values.arguments(method.method()?)?;
        let (request, item) = api.items.get_key_value(request)?;
        let setters = values.setters(request, item).into_iter();
        let (body, setters): (Vec<_>, Vec<_>) =
            setters.partition(|setter| setter.starts_with(".with_body("));
        let body = if is_whole { body.first()?.clone() } else { String::new() };
        Some(Self { code: format!("c.{name}({arguments}){}{body}", setters.concat()), name })
    }
}

/// Runs the program in a copy, with a crate and without some of its lines.
fn run(
    users: &Users,
    copy: &Shadow,
    emitted: &Output,
    without: &BTreeSet<usize>,
) -> Fallible<Sent> {
    let file = copy.folder.join(FILE);
    let text = fs::read_to_string(&file).context("read", &file)?;
    let lines = (1..).zip(text.split_inclusive('\n'));
    let lines = lines.filter(|(number, _)| !without.contains(number)).map(|(_, line)| line);
    let text = lines.collect::<String>().replacen("allow(unused)", "allow(warnings)", 1);
    copy.write(Path::new(FILE), &text)?;
    copy.emit(&emitted.files)?;
    Ok(sent(&users.output(copy)?))
}

/// Reads what the program prints.
fn sent(output: &str) -> Sent {
    let mut sent = Sent::new();
    let mut number = 0;
    for line in output.lines() {
        match line.strip_prefix('#').and_then(|number| number.parse().ok()) {
            Some(found) => {
                number = found;
                sent.insert(number, Vec::new());
            }
            None => sent.entry(number).or_default().push(without_boundary(line)),
        }
    }
    sent
}

/// Returns a request without the random text that separates the parts of its body.
fn without_boundary(request: &str) -> String {
    let boundary = request.split_once("boundary=").map_or("", |(_, rest)| rest);
    let end = boundary.find(|char: char| !char.is_ascii_hexdigit()).unwrap_or(boundary.len());
    match &boundary[..end] {
        "" => request.to_owned(),
        boundary => request.replace(boundary, "BOUNDARY"),
    }
}

/// The lines before the setters of the builder: a transport prints each request as it is sent.
const PRELUDE: &str = r#"#![allow(unused)]
mod prelude {
    pub use std::collections::BTreeMap;
    use subject::runtime::{Body, BoxFuture, RequestBody, Transport, TransportError, http};
    pub struct Printer;
    impl Transport for Printer {
        fn send(&self, request: http::Request<RequestBody>) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
            Box::pin(async move {
                let (head, body) = request.into_parts();
                let mut body = Body::from(body);
                let mut content = Vec::new();
                while let Some(chunk) = body.chunk().await? {
                    content.extend_from_slice(&chunk);
                }
                let headers = head.headers.iter().map(|(name, value)| (name, String::from_utf8_lossy(value.as_bytes())));
                let headers: Vec<_> = headers.collect();
                let content = String::from_utf8_lossy(&content);
                // The members of JSON have no order.
                let json = content.parse::<subject::Value>().map(|json| json.to_string());
                println!("{} {} {headers:?} {:?}", head.method, head.uri, json.unwrap_or(content.into()));
                Err(TransportError::refused("not sent"))
            })
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = subject::Client::builder("https://a.test").transport(prelude::Printer);
"#;

#[cfg(test)]
mod tests {
    use super::sent;

    #[test]
    fn only_boundaries_may_differ() {
        let request = |boundary: &str, key: &str| {
            format!(
                "#0\n#1\nPOST /a [(\"key\", \"{key}\"), (\"content-type\", \"boundary={boundary}\")] \"--{boundary}--\"\n"
            )
        };
        let old = sent(&request("1f", "a"));
        assert_eq!(old, sent(&request("e0", "a")));
        assert_ne!(old, sent(&request("1f", "b")));
        assert_eq!(old.values().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    }
}
