//! Where `prettyplease` and `cargo fmt` disagree, `cargo fmt` is right.
//!
//! Only the shapes that the emitters of this folder write are met: documented members, signatures, struct literals, and
//! calls that are too long for one line.

use std::borrow::Cow;

/// The longest line that `cargo fmt` writes.
const WIDTH: usize = 100;

/// The longest run of fields of a struct literal that `cargo fmt` keeps on one line.
const LITERAL_WIDTH: usize = 18;

/// The longest run of arguments of a call that `cargo fmt` keeps on one line.
const ARGUMENTS_WIDTH: usize = 60;

/// The longest line with an argument's bound that `cargo fmt` does not break.
const BOUND_WIDTH: usize = 105;

/// The longest chain of methods that `cargo fmt` keeps on one line.
const CHAIN_WIDTH: usize = 60;

/// Settles the layout of printed items, and appends them to a text.
pub fn settle(printed: &str, text: &mut String) {
    let lines: Vec<&str> = printed.lines().collect();
    let mut rest = lines.as_slice();
    let mut previous: Option<Cow<'_, str>> = None;
    while let Some((&line, after)) = rest.split_first() {
        let (settled, left) = match resettled(rest) {
            Some((settled, taken)) => {
                (settled.into_iter().map(Cow::Owned).collect(), &rest[taken..])
            }
            None => (vec![Cow::Borrowed(line)], after),
        };
        for line in settled {
            if previous.as_deref().is_some_and(|previous| needs_blank_line(previous, &line)) {
                text.push('\n');
            }
            text.push_str(&line);
            text.push('\n');
            previous = Some(line);
        }
        rest = left;
    }
}

/// Returns what the first of these lines becomes, together with as many of the next as it takes; `None` where it stays.
fn resettled(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let line = lines.first()?;
    if line.trim_start().starts_with("//") {
        return None;
    }
    chain(lines)
        .or_else(|| signature(lines))
        .or_else(|| assignment(lines))
        .or_else(|| field(lines))
        .or_else(|| enclosed(lines))
        .or_else(|| short_literal(lines))
        .or_else(|| {
            let broken = long_chain(line)
                .or_else(|| call(line))
                .or_else(|| head(line))
                .or_else(|| literal(line))?;
            Some((broken, 1))
        })
}

/// Puts a signature that was broken too early on one line.
fn signature(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let first = lines.first()?;
    let head = first.trim_start();
    if !(head.starts_with("pub fn ")
        || head.starts_with("pub(crate) fn ")
        || head.starts_with("fn "))
        || !first.ends_with('(')
    {
        return None;
    }
    let end = lines.iter().position(|line| line.trim_start().starts_with(')'))?;
    let arguments: Vec<&str> =
        lines.get(1..end)?.iter().map(|line| line.trim().trim_end_matches(',')).collect();
    let joined = format!("{first}{}{}", arguments.join(", "), lines.get(end)?.trim_start());
    (joined.chars().count() <= WIDTH).then(|| (vec![joined], end + 1))
}

/// Puts a chain of methods on one line, where `cargo fmt` would.
fn chain(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let (first, rest) = lines.split_first()?;
    let calls = rest
        .iter()
        .take_while(|line| line.trim_start().starts_with('.') && indent(line) == indent(first) + 4);
    let calls: Vec<&str> = calls.map(|line| line.trim_start()).collect();
    if calls.is_empty() {
        return None;
    }
    let (place, root) = first.split_once(" = ").or_else(|| first.split_once(": "))?;
    let chain = format!("{root}{}", calls.concat());
    let is_short = chain.trim_end_matches([',', ';']).chars().count() <= CHAIN_WIDTH;
    let joined = format!("{first}{}", calls.concat());
    let fits = is_short && joined.chars().count() <= WIDTH;
    (fits && !place.contains('"')).then(|| (vec![joined], calls.len() + 1))
}

/// Breaks a chain of fields and methods that is too long for one line.
fn long_chain(line: &str) -> Option<Vec<String>> {
    let text = line.trim_start();
    let (root, call) = ["self.call", "self.body"]
        .into_iter()
        .find_map(|root| Some((root, text.strip_prefix(root)?)))?;
    let chain = text.split_once(" = ").map_or(text.trim_end_matches(';'), |(chain, _)| chain);
    let is_long = chain.chars().count() > CHAIN_WIDTH;
    let indent = " ".repeat(indent(line));
    (is_long && call.starts_with('.'))
        .then(|| vec![format!("{indent}{root}"), format!("{indent}    {call}")])
}

/// Puts an assignment of one call on one line, or its right side on the next where one line is too short.
fn assignment(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let [first, argument, close, ..] = lines else {
        return None;
    };
    if !first.ends_with('(') || close.trim() != ");" || !argument.ends_with(',') {
        return None;
    }
    let (place, call) = first.split_once(" = ")?;
    let value = format!("{call}{});", argument.trim().trim_end_matches(','));
    Some(on_one_or_two_lines(&format!("{place} ="), &value, indent(first), 3))
}

/// Puts a field and its type on one line, or the type on the next where one line is too short, or leaves the type broken
/// where that is too short as well.
fn field(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let first = lines.first()?;
    if !first.trim_start().starts_with("pub ") {
        return None;
    }
    let (name, ty) = first.split_once(": ")?;
    let (ty, taken) = if ty.ends_with('<') {
        let is_end =
            |line: &&str| line.trim_start().starts_with('>') && indent(line) == indent(first);
        let end = lines.iter().position(is_end)?;
        let inner: Vec<&str> = lines.get(1..=end)?.iter().map(|line| line.trim()).collect();
        (format!("{ty}{}", inner.concat()).replace(",>", ">"), end + 1)
    } else {
        (ty.to_owned(), 1)
    };
    let (settled, taken) = on_one_or_two_lines(&format!("{name}:"), &ty, indent(first), taken);
    let fits = settled.iter().all(|line| line.chars().count() <= WIDTH);
    (fits || taken == 1).then_some((settled, taken))
}

/// Puts what stands between brackets on the line of the brackets, where `cargo fmt` would.
fn enclosed(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let first = lines.first()?;
    if !first.ends_with(['(', '<']) {
        return None;
    }
    let end = lines.iter().position(|line| {
        line.trim_start().starts_with([')', '>']) && indent(line) == indent(first)
    })?;
    let inner: Vec<&str> = lines.get(1..end)?.iter().map(|line| line.trim()).collect();
    let inner = inner.join(" ");
    let inner = inner.trim_end_matches(',');
    let joined = format!("{first}{inner}{}", lines.get(end)?.trim());
    // A bound may be a little longer than the line, and neither it nor an attribute's arguments have a limit of their own.
    let is_bound = first.ends_with('<');
    let width = if is_bound { BOUND_WIDTH } else { WIDTH };
    let is_short =
        is_bound || inner.len() <= ARGUMENTS_WIDTH || first.trim_start().starts_with('#');
    (is_short && joined.chars().count() <= width).then(|| (vec![joined], end + 1))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn on_one_or_two_lines(
    head: &str,
    tail: &str,
    indent: usize,
    taken: usize,
) -> (Vec<String>, usize) {
    let joined = format!("{head} {tail}");
    if joined.chars().count() <= WIDTH {
        return (vec![joined], taken);
    }
    (vec![head.to_owned(), format!("{}{tail}", " ".repeat(indent + 4))], taken)
}

/// Puts a struct literal on one line that `cargo fmt` finds short enough.
fn short_literal(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let first = lines.first()?;
    let head = first.trim_start().strip_suffix(" {")?;
    let is_literal = head.starts_with(char::is_uppercase)
        && head.chars().all(|char| char.is_alphanumeric() || char == '_');
    if !is_literal {
        return None;
    }
    let end = lines.iter().position(|line| line.trim() == "}")?;
    let fields: Vec<&str> = lines.get(1..end)?.iter().map(|line| line.trim()).collect();
    let fields = fields.join(" ");
    let fields = fields.trim_end_matches(',');
    if fields.is_empty() || fields.len() > LITERAL_WIDTH {
        return None;
    }
    Some((vec![format!("{first} {fields} }}")], end + 1))
}

/// Breaks a call whose arguments are too long for one line.
fn call(line: &str) -> Option<Vec<String>> {
    if line.len() <= ARGUMENTS_WIDTH || line.trim_start().starts_with('#') {
        return None;
    }
    let indent = indent(line);
    let (head, rest) = line.split_once('(')?;
    let (arguments, tail) =
        [");", "),", ")"].into_iter().find_map(|tail| Some((rest.strip_suffix(tail)?, tail)))?;
    let is_call = head.ends_with(|char: char| char.is_alphanumeric() || char == '_')
        && !head.contains(" fn ");
    let is_long = arguments.chars().count() > ARGUMENTS_WIDTH;
    let balanced = arguments.matches('(').count() == arguments.matches(')').count();
    if !is_call || !is_long || !balanced || top_level(arguments).len() < 2 {
        return None;
    }
    let inner = " ".repeat(indent + 4);
    let mut out = vec![format!("{head}(")];
    out.extend(top_level(arguments).iter().map(|argument| format!("{inner}{argument},")));
    out.push(format!("{}{tail}", " ".repeat(indent)));
    Some(out)
}

/// Breaks a struct literal that is too long for one line.
fn literal(line: &str) -> Option<Vec<String>> {
    if !line.ends_with('}') && !line.ends_with("};") {
        return None;
    }
    let indent = indent(line);
    let (head, rest) = line.split_once(" { ")?;
    let close = rest.rfind(" }")?;
    let (fields, tail) = (&rest[..close], &rest[close + 1..]);
    let is_literal = head.trim_start().ends_with(|char: char| char.is_alphanumeric())
        && matches!(tail, "}" | "};");
    if !is_literal
        || fields.len() <= LITERAL_WIDTH
        || head.trim_start().starts_with("pub ")
        || head.contains("match ")
    {
        return None;
    }
    let inner = " ".repeat(indent + 4);
    let mut out = vec![format!("{head} {{")];
    for field in top_level(fields) {
        let comma = if field.starts_with("..") { "" } else { "," };
        out.push(format!("{inner}{field}{comma}"));
    }
    out.push(format!("{}{tail}", " ".repeat(indent)));
    Some(out)
}

/// Puts the brace of a struct on the next line where its name leaves no room for it.
fn head(line: &str) -> Option<Vec<String>> {
    let head = line.strip_suffix(" {")?;
    let is_type = line.starts_with("pub struct ") || line.starts_with("pub enum ");
    (is_type && line.chars().count() > WIDTH).then(|| vec![head.to_owned(), "{".to_owned()])
}

/// Splits at the commas that no bracket encloses.
fn top_level(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts, mut quoted) = (0_usize, 0, Vec::new(), false);
    for (index, char) in text.char_indices() {
        match char {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !quoted => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Tells whether a line begins something that a blank line should set off: a documented member, or a method.
fn needs_blank_line(previous: &str, line: &str) -> bool {
    if indent(line) != 4 || previous.ends_with('{') {
        return false;
    }
    let text = line.trim_start();
    let begins = text.starts_with("///")
        || text.starts_with("#[")
        || text.starts_with("pub")
        || text.starts_with("fn ");
    let previous = previous.trim_start();
    let continues = previous.starts_with("///")
        || previous.starts_with("#[")
        || previous == ")]"
        || previous.is_empty();
    begins && !continues
}
