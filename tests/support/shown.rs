//! What the snapshot of a case shows of its crate: the names and types of the API, and of the emitted files what the
//! case names and the case `common` does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use codegen::Output;

use super::case::Case;

/// The start of the line of a case that names the emitted files which its snapshot shows.
const SHOWN: &str = "# shown:";

/// The file that lists the public items.
const API: &str = "api.txt";

/// The name of the case that shows what all crates have.
pub const COMMON: &str = "common";

/// The names of the cases of whose files all lines are shown, except blank ones: `generated/` shows those.
const WHOLE: [&str; 2] = [COMMON, "docs"];

/// The start of the tables of a type.
const TABLE: &str = "runtime::internal::";

/// The lines that the case `common` shows.
pub struct Common {
    files: BTreeMap<String, BTreeSet<String>>,
    /// Those of its documentation and attributes.
    remarks: BTreeSet<String>,
}

impl Common {
    /// Returns the lines that a case shows for all others.
    pub fn of(case: &Case) -> Self {
        let output = case.output();
        let mut common = Self { files: BTreeMap::new(), remarks: BTreeSet::new() };
        for named in named(case) {
            let text = selected(&output, named);
            let remarks = text.lines().map(str::trim).filter(|line| is_remark(line));
            common.remarks.extend(remarks.map(str::to_owned));
            common.files.insert(named.to_owned(), text.lines().map(str::to_owned).collect());
        }
        common
    }

    /// Returns what a case shows of its crate.
    pub fn beside(&self, case: &Case, output: &Output) -> String {
        let is_listed = !named(case).any(|named| named == API);
        let mut shown = if is_listed { own_items(emitted(output, API)) } else { String::new() };
        let mut last = "";
        for named in named(case) {
            let path = named.split(['#', '!']).next().unwrap_or(named);
            if path != last {
                writeln!(shown, "───── {path} ─────").unwrap();
            }
            last = path;
            for line in self.own_lines(&selected(output, named), named, case) {
                writeln!(shown, "{line}").unwrap();
            }
        }
        shown
    }

    /// Returns the lines of a text that are not blank: without the documentation and attributes that `common` shows, and,
    /// of a file that it shows, without all of its lines.
    fn own_lines<'t>(&self, text: &'t str, named: &str, case: &Case) -> Vec<&'t str> {
        let is_whole = WHOLE.contains(&case.name.as_str());
        let is_shown = |line: &str| {
            let line = in_common(line, case);
            let remark = line.trim();
            let is_known = is_remark(remark) && self.remarks.contains(remark);
            is_known || self.files.get(named).is_some_and(|lines| lines.contains(&line))
        };
        text.lines().filter(|line| !line.is_empty() && (is_whole || !is_shown(line))).collect()
    }
}

/// Returns a line of a case as it is in the crate `common`.
fn in_common(line: &str, case: &Case) -> String {
    let snake = |name: &str| format!("case_{}", name.replace('-', "_"));
    let [own, common] = [snake(&case.name), snake(COMMON)];
    line.replace(&own, &common).replace(&own.to_uppercase(), &common.to_uppercase())
}

/// Returns whether a line is documentation or an attribute.
fn is_remark(line: &str) -> bool {
    line.starts_with("//") || line.starts_with("#[")
}

/// Returns the files that a case names, each with what it shows of them.
fn named(case: &Case) -> impl Iterator<Item = &str> {
    let lines = case.source.text.lines().filter_map(|line| line.strip_prefix(SHOWN));
    lines.flat_map(str::split_whitespace)
}

/// Returns the text of an emitted file.
fn emitted<'o>(output: &'o Output, path: &str) -> &'o str {
    let file = output.files.iter().find(|file| file.path == path);
    &file.unwrap_or_else(|| panic!("there is no {path}")).text
}

/// Returns the lines of `api.txt` that are of this API only: its types, and the items with a name on the wire.
fn own_items(api: &str) -> String {
    let own = api.lines().skip_while(|line| *line != "mod models").filter(|line| {
        let is_module = line.starts_with("mod ") || *line == "use runtime = runtime";
        let is_item = !line.is_empty() && !line.starts_with(' ') && !is_module;
        is_item || line.contains('"') && !line.contains(" if feature ")
    });
    let text = own.fold(String::new(), |text, line| text + line + "\n");
    // A request is listed with its operation.
    text.replace(": request\n    operation ", ": request ")
}

/// Returns what a case shows of a file: `file.rs` is all of it, `file.rs!` its tables.
///
/// `file.rs#Type,Type!,Type::setters!,Type::member,Type::Trait,Type::*` is the definition of a type, its table, that of
/// its setters, a member of one of its `impl` blocks, the block of a trait, and the blocks without one.
fn selected(output: &Output, named: &str) -> String {
    if let Some((path, names)) = named.split_once('#') {
        items(emitted(output, path), names)
    } else if let Some(path) = named.strip_suffix('!') {
        tables(emitted(output, path))
    } else {
        emitted(output, named).to_owned()
    }
}

/// Returns the tables of a file, except those of setters, which follow from the types of the fields.
fn tables(text: &str) -> String {
    let tables = blocks(text).into_iter().filter(|block| table(block) == Some(""));
    tables.map(|block| block.replacen(TABLE, "", 1)).collect::<Vec<_>>().join("\n")
}

/// Returns `setters` for the table of the setters of a type, and nothing for its other tables.
fn table(block: &str) -> Option<&'static str> {
    let table = head(block).strip_prefix(TABLE)?;
    Some(if table.starts_with("setters!") { "setters" } else { "" })
}

/// Returns the items of a file that have one of some names, separated by commas.
fn items(text: &str, names: &str) -> String {
    let blocks = blocks(text);
    let mut shown = Vec::new();
    for name in names.split(',') {
        let before = shown.len();
        let path = name.trim_end_matches('!');
        let (owner, member) = path.split_once("::").unwrap_or((path, ""));
        let of_table = name.ends_with('!').then_some(member);
        for block in &blocks {
            let is_definition = table(block) == of_table && defined(block) == owner;
            if of_table.is_some() || member.is_empty() {
                shown.extend(is_definition.then(|| block.clone()));
            } else if let Some((of, _)) = implemented(block).filter(|(_, ty)| *ty == owner) {
                shown.extend(members(block, of, member));
            }
        }
        assert!(shown.len() > before, "no item is {name}");
    }
    shown.join("\n\n")
}

/// Returns the trait, if any, and the type or the operation of an `impl` block.
fn implemented(block: &str) -> Option<(&str, &str)> {
    let (first, _) = head(block).strip_prefix("impl ")?.split_once(" {")?;
    let (of, ty) = first.split_once(" for ").unwrap_or(("", first));
    Some((last(of), last(ty)))
}

/// Returns the last name of a path, without arguments.
fn last(path: &str) -> &str {
    path.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or(path)
}

/// Returns the members of an `impl` block that have a name, or all of it, if it is the one that is named.
fn members(block: &str, of: &str, name: &str) -> Vec<String> {
    if of == name || of.is_empty() && name == "*" {
        return vec![block.to_owned()];
    }
    let inner = head(block).split_once("{\n").and_then(|(_, rest)| rest.strip_suffix("\n}"));
    let mut members = Vec::<String>::new();
    let mut is_remarked = false;
    for line in inner.unwrap_or_default().lines().filter(|line| !line.is_empty()) {
        let start = line.strip_prefix("    ").filter(|rest| !rest.starts_with([' ', '}', ')']));
        match members.last_mut() {
            Some(member) if start.is_none() || is_remarked => *member += &["\n", line].concat(),
            _ => members.push(line.to_owned()),
        }
        is_remarked = start.is_some_and(is_remark);
    }
    members.into_iter().filter(|member| defined(member) == name).collect()
}

/// Returns the name that an item or a table defines.
fn defined(block: &str) -> &str {
    let mut lines = head(block).lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    if first.ends_with("! {") {
        return lines.next().and_then(|line| line.split(' ').next()).unwrap_or_default();
    }
    if let Some((_, rest)) = first.split_once("!(") {
        return rest.split(' ').next().unwrap_or_default();
    }
    let mut words = first.split([' ', '(', '<', ':', ';']);
    let is_kind = |word: &&str| ["const", "enum", "fn", "mod", "struct", "type"].contains(word);
    if words.by_ref().any(|word| is_kind(&word)) { words.next().unwrap_or_default() } else { "" }
}

/// Returns the items of a text, with their documentation.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::<String>::new();
    for part in text.trim_end().split("\n\n") {
        match blocks.last_mut() {
            Some(block) if part.starts_with([' ', '}']) => {
                *block += "\n\n";
                *block += part;
            }
            _ => blocks.push(part.to_owned()),
        }
    }
    blocks
}

/// Returns an item from its first line that is no comment and no attribute.
fn head(block: &str) -> &str {
    let length = block.split_inclusive('\n').take_while(|line| is_remark(line.trim_start()));
    &block[length.map(str::len).sum()..]
}
