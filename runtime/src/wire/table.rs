//! What is known of a type's members.

use std::sync::OnceLock;

use super::form::Form;
use super::json;
use super::lookup::Places;

/// The description of a type's members.
///
/// A macro writes it as one text, which is read when it is first needed: for the compiler, a text is nothing, while the
/// members of a large crate in their parts are much.
pub struct Table {
    text: &'static str,
    members: OnceLock<Described>,
}

/// What a table's text says.
pub(super) struct Described {
    /// The name of the type.
    pub name: &'static str,
    /// The members, in the order of the fields.
    pub members: Box<[Member]>,
    /// Whether a member is a group.
    pub groups: bool,
    /// Whether a member is required.
    pub required: bool,
    /// The last field, if it is no member but takes the members that are not described.
    pub additional: Option<Additional>,
    /// Where members are found by name.
    pub places: Places,
}

/// The field that takes the members that are not described.
pub(super) struct Additional {
    /// The name of the field.
    pub field: &'static str,
    /// How the values are spelled.
    pub form: Form,
}

/// The description of a member.
pub(super) struct Member {
    /// The name of the field or variant.
    pub field: &'static str,
    /// The name on the wire; empty for a group.
    pub name: &'static str,
    /// The name as it stands in JSON, with all that is around it.
    pub lead: Box<[u8]>,
    /// How the value is spelled.
    pub form: Form,
    /// Whether the member is always written, absent or not.
    pub required: bool,
    /// Whether the field is a union whose members stand beside those of the object.
    pub group: bool,
}

impl Table {
    /// Returns the table that a text describes: the name of the type and then, each after a U+001E, a field of it, its
    /// member and its marks, with a U+001F between them. The marks are `!` for a required member, `.` for a group, `*`
    /// for the field of the members that are not described, and `t` for integers as text.
    pub const fn new(text: &'static str) -> Self {
        Self { text, members: OnceLock::new() }
    }

    /// Returns what the table says.
    #[inline]
    pub(super) fn read(&self) -> &Described {
        self.members.get_or_init(|| Described::from(self.text))
    }
}

impl Described {
    fn from(text: &'static str) -> Self {
        let mut records = text.split('\u{1e}');
        let name = records.next().unwrap_or_default();
        let mut additional = None;
        let mut members = Vec::new();
        for record in records {
            let mut parts = record.split('\u{1f}');
            let mut part = || parts.next().unwrap_or_default();
            let (field, name, marks) = (part(), part(), part());
            let field = field.strip_prefix("r#").unwrap_or(field);
            let form = if marks.contains('t') { Form::IntegerText } else { Form::Natural };
            if marks.contains('*') {
                additional = Some(Additional { field, form });
            } else {
                members.push(Member {
                    field,
                    name,
                    lead: json::lead(name),
                    form,
                    required: marks.contains('!'),
                    group: marks.contains('.'),
                });
            }
        }
        let members = members.into_boxed_slice();
        Self {
            name,
            groups: members.iter().any(|member| member.group),
            required: members.iter().any(|member| member.required),
            additional,
            places: Places::of(&members),
            members,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::wire::form::Form;

    #[test]
    fn a_text_says_what_the_macro_was_told() {
        let table = Table::new(
            "Thing\u{1e}id\u{1f}id\u{1f}!\u{1e}r#type\u{1f}\"type\"\u{1f}t\u{1e}one\u{1f}\u{1f}.\u{1e}rest\u{1f}\u{1f}*t",
        );
        let read = table.read();

        assert_eq!(read.name, "Thing");
        assert!(read.groups && read.required);
        let [id, kind, one] = &*read.members else { panic!("three members") };
        assert!(id.required && !kind.required && !one.required);
        assert!(one.group && !id.group);
        assert_eq!((kind.field, kind.name), ("type", "\"type\""));
        assert_eq!(&*kind.lead, br#","\"type\"":"#);
        assert_eq!((id.form, kind.form), (Form::Natural, Form::IntegerText));
        let rest = read.additional.as_ref().expect("a field for the rest");
        assert_eq!((rest.field, rest.form), ("rest", Form::IntegerText));
        assert_eq!(read.position("id", 2), Some(0));
        assert_eq!(read.position("", 2), None);
    }
}
