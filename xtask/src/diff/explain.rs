//! What a change means for the people who use the crate, in words.

use ::codegen::public_api::{Change, Difference, MemberKind, What};

/// Returns what has changed, in one line.
pub fn title(change: &Change) -> String {
    let Difference { id, what, kind, .. } = &change.main;
    // The facts of a request are those of its method.
    let method = change.used_by.first().and_then(|way| way.first());
    let id = match (kind, method) {
        (Some(MemberKind::Operation | MemberKind::Body | MemberKind::Output), Some(method)) => {
            method.clone()
        }
        _ => id.to_string(),
    };
    match what {
        What::Schema => format!("`{id}` is another schema now: same path, other meaning"),
        What::Kind if change.main.old.starts_with("enum ") => {
            format!("`{id}` is a struct now, no longer an enum")
        }
        What::Kind => format!("`{id}` is an enum now, no longer a struct"),
        What::Lost => format!("`{id}` is gone"),
        What::Unsent => {
            format!("`{}` has no setters any more: no request carries it", change.main.owner)
        }
        What::Renamed => {
            format!("`{id}` is renamed to `{}`", change.main.details.join(", "))
        }
        What::Retyped => format!("`{id}` has another type"),
        What::Arguments if change.main.details.is_empty() => {
            format!("`{id}` takes its arguments in another order")
        }
        What::Arguments => {
            format!("`{id}` takes other arguments: {}", change.main.details.join(", "))
        }
        What::Output => format!("`{id}` returns something else"),
        What::Trait => format!("`{id}` is no longer implemented"),
        What::Mentions => format!("`{id}` names a type that is renamed"),
        What::Route => format!("`{id}` is sent to another route"),
        What::Body => format!("`{id}` sends another body"),
        What::Wire => format!("`{id}` is sent or received in another form"),
        What::Required => format!("`{id}` is required or no longer required"),
        What::Reordered => format!("`{id}` takes the same arguments in another order"),
        What::Aliased => format!("`{id}` is renamed; its old name is an alias"),
        What::Deprecated => format!("`{id}` is deprecated"),
    }
}

/// Returns why it breaks, and for whom.
pub fn reason(change: &Change) -> &'static str {
    let difference = &change.main;
    match (difference.what, difference.kind) {
        (What::Schema, _) => "code that still compiles handles data of another meaning",
        (What::Kind, _) => "programs that read, build or match a value no longer compile",
        (What::Unsent, _) => "programs that build a value with them no longer compile",
        (What::Lost | What::Renamed, Some(MemberKind::Field)) => {
            "programs that read or set the field no longer compile"
        }
        (What::Lost | What::Renamed, Some(MemberKind::Variant)) => {
            "programs that match or build the variant no longer compile"
        }
        (What::Lost | What::Renamed, Some(MemberKind::Method)) | (What::Arguments, _) => {
            "programs that call it no longer compile"
        }
        (What::Lost, _) if difference.old.starts_with("feature ") => {
            "programs that enable the feature no longer build"
        }
        (What::Lost | What::Renamed, _) => "programs that name it no longer compile",
        (What::Retyped, Some(MemberKind::Variant)) => {
            "programs that use the value in the variant no longer compile"
        }
        (What::Retyped, Some(MemberKind::Items)) => {
            "programs that use the items of the pages no longer compile"
        }
        (What::Retyped, _) => "programs that read or set it with its old type no longer compile",
        (What::Output, _) => "programs that use the result with its old type no longer compile",
        (What::Trait, _) => "programs that rely on the trait no longer compile",
        (What::Mentions, _) => "programs that name the type no longer compile",
        (What::Route, _) => {
            "programs compile as before and call the new route: servers without it refuse them"
        }
        (What::Body, _) => {
            "programs that build the body no longer compile, and servers expect another"
        }
        (What::Wire, _) => {
            "programs compile as before, but servers and stored JSON of the old form disagree"
        }
        (What::Required, _) => "programs compile as before; what is sent without it may be refused",
        (What::Reordered, _) => "calls compile as before with their values in the wrong places",
        (What::Aliased, _) => "programs that use the old name get a deprecation warning",
        (What::Deprecated, _) => "programs that use it get a deprecation warning",
    }
}

/// Returns what to do instead.
pub fn remedy(change: &Change) -> Option<String> {
    let Difference { what, kind, old, new, .. } = &change.main;
    if let Some(perhaps) = &change.perhaps {
        return Some(format!("perhaps `{perhaps}`, which is new"));
    }
    Some(match what {
        What::Lost if *kind == Some(MemberKind::Variant) && !old.contains('(') => {
            let value = old.split_once(" as ").map_or(old.as_str(), |(_, value)| value);
            format!(
                "match `Unknown(value)` with `value.as_str() == {value}` where servers still send it"
            )
        }
        What::Lost => "nothing takes its place: remove the uses".to_owned(),
        What::Unsent => "set the public fields of a `default()`".to_owned(),
        What::Renamed => {
            let aliases = aliases(change);
            if aliases.is_empty() {
                "use the new name".to_owned()
            } else {
                let aliases = aliases.join(", ");
                format!(
                    "use the new name; the old one stays for now with {aliases} under [aliases] in codegen.toml"
                )
            }
        }
        What::Aliased => "use the new name".to_owned(),
        What::Retyped | What::Output => match (option_of(old), option_of(new)) {
            (Some(inner), None) if new.contains(inner) => {
                "it is always there: use the value without `Option`".to_owned()
            }
            (None, Some(inner)) if old.contains(inner) => {
                "it may be missing: handle `None`".to_owned()
            }
            _ => "convert from or to the new type".to_owned(),
        },
        What::Arguments => {
            "pass what the new signature asks for; what is no longer an argument may be a setter"
                .to_owned()
        }
        What::Route => "upgrade when the servers have the new route".to_owned(),
        What::Body | What::Wire => "upgrade when the servers have the new form".to_owned(),
        What::Required => "set it wherever a request has it".to_owned(),
        What::Reordered => "check the arguments of each call".to_owned(),
        What::Schema | What::Kind => {
            "read the new definition before fixing the compile errors".to_owned()
        }
        What::Trait | What::Mentions | What::Deprecated => return None,
    })
}

/// Returns the lines of codegen.toml that keep the old names of what is renamed.
fn aliases(change: &Change) -> Vec<String> {
    let renamed = change.differences().filter(|difference| difference.what == What::Renamed);
    let lines = renamed.filter_map(|difference| {
        let is_type = difference.kind.is_none() && !difference.old.starts_with("mod ");
        let is_operation = difference.kind == Some(MemberKind::Method)
            && difference.owner.starts_with("resources::");
        let (old, new) = (difference.id.to_string(), difference.details.first()?);
        let old = old.trim_end_matches("()");
        let is_beside = old.rsplit_once("::")?.0 == new.rsplit_once("::")?.0;
        (is_beside && (is_type || is_operation)).then(|| format!("`{old:?} = {new:?}`"))
    });
    lines.collect()
}

/// Returns what is in an `Option` that a line names as its type.
fn option_of(line: &str) -> Option<&str> {
    let (_, ty) = line.split_once(": Option<")?;
    ty.split(" as ").next()?.strip_suffix('>')
}
