//! The settings of paging, streams and parameters: a warning for each that no operation uses.

use crate::configuration::Configuration;
use crate::diagnostics::{Code, Diagnostics};
use crate::ir::{Api, ListKeys, Operation, PageToken, PageUnit, Paging, Style, Total};
use crate::settings::Settings;

/// A setting, with a remedy.
type Setting = (fn(&Settings) -> Option<&str>, &'static str);

const TOKEN_HELP: &str = "name a property of replies, as `a.b` if it is in an object, and the query parameter that takes its value";
const LINK_HELP: &str = "name a text in the replies of a GET, as `a.b` if it is in an object, or `a[rel=next].b` in a list, next to a list";
const ITEMS_HELP: &str =
    "name a list in replies that have a next page, as `a.b` if it is in an object";
const NUMBER_HELP: &str = "name a query parameter of operations whose reply is a list, or has one";
const TOTAL_HELP: &str = "name a number in the replies of lists that have pages by a number, as `a.b` if it is in an object, or a header";
const FIRST_HELP: &str = "name the first token of lists whose requests take a token";

const PAGING: [Setting; 8] = [
    (|settings| settings.first_page_token.as_deref(), FIRST_HELP),
    (|settings| settings.next_page_token.as_deref(), TOKEN_HELP),
    (|settings| settings.page_token.as_deref(), TOKEN_HELP),
    (|settings| settings.next_link.as_deref(), LINK_HELP),
    (|settings| settings.page_items.as_deref(), ITEMS_HELP),
    (|settings| settings.page_offset.as_deref(), NUMBER_HELP),
    (|settings| settings.page_number.as_deref(), NUMBER_HELP),
    (|settings| settings.page_total.as_deref(), TOTAL_HELP),
];

/// Returns what a list has pages by, in the order of [`PAGING`].
fn pages_by<'a>(paging: &'a Paging, settings: &'a Settings) -> [Option<&'a str>; 8] {
    let next = Some(&*paging.next_token.wire);
    let has_link = matches!(paging.token, Some(PageToken::Link));
    let (parameter, number) = match &paging.token {
        Some(PageToken::Query(parameter)) => (Some(&**parameter), None),
        // Only the setting finds another property of the body.
        Some(PageToken::Body(_)) => (settings.page_token.as_deref(), None),
        Some(PageToken::Number(number)) => (None, Some(number)),
        Some(PageToken::Link) | None => (None, None),
    };
    let by = |unit| number.filter(|number| number.unit == unit).map(|it| &*it.parameter);
    let total = number.and_then(|number| number.total.as_ref()).map(|total| match total {
        Total::Property(path) => &*path.wire,
        Total::Header(header) => header,
    });
    [
        paging.first_token.as_deref(),
        next.filter(|_| paging.has_token()),
        parameter,
        next.filter(|_| has_link),
        Some(&paging.items.wire),
        by(PageUnit::Item),
        by(PageUnit::Page),
        total,
    ]
}

/// Returns whether an operation uses the value of a setting.
type UsedBy = fn(&Operation, &str) -> bool;

/// The other settings: the heading of the table in `codegen.toml`, the setting, the warning before its value, and whether
/// an operation uses the value.
const OTHERS: [(&str, Setting, &str, UsedBy); 3] = [
    (
        "[streams]",
        (
            |settings| settings.sentinel.as_deref(),
            "describe replies of `text/event-stream` or JSON Lines, or remove the line",
        ),
        "no stream ends with",
        |it, end| it.successes.streams.iter().any(|stream| stream.sentinel.as_deref() == Some(end)),
    ),
    (
        "[parameters]",
        (
            |settings| settings.idempotency_key.as_deref(),
            "name a header parameter that is a text with room for 36 characters, or remove the line",
        ),
        "no operation has the idempotency key",
        |it, _| it.idempotency_key().is_some(),
    ),
    (
        "[parameters]",
        (list_keys, "describe a parameter or a form with this style, or remove the line"),
        "nothing has the style `deepObject`, of whose lists the keys are",
        |it, _| it.serializations().any(|it| matches!(it.style, Style::DeepObject(_))),
    ),
];

fn list_keys(settings: &Settings) -> Option<&str> {
    let keys = Some(settings.list_keys).filter(|keys| *keys != ListKeys::default());
    keys.map(ListKeys::name)
}

/// Warns of the settings that no operation uses.
pub fn check(api: &Api, settings: &Settings, diagnostics: &mut Diagnostics) {
    let paged = || api.operations().filter_map(|operation| operation.paging.as_ref());
    for (position, setting) in PAGING.iter().enumerate() {
        let is_used = |name: &str| {
            let mut found = paged().filter_map(|paging| pages_by(paging, settings)[position]);
            // The names of headers have no case.
            found.any(|by| by.eq_ignore_ascii_case(name))
        };
        let unused = "no list has pages by";
        check_one(("[paging]", setting, unused), is_used, settings, diagnostics);
    }
    for (table, setting, unused, uses) in &OTHERS {
        let is_used = |value: &str| api.operations().any(|operation| uses(operation, value));
        check_one((*table, setting, *unused), is_used, settings, diagnostics);
    }
}

/// Warns of a setting that is not used.
fn check_one(
    (table, (value, help), unused): (&str, &Setting, &str),
    is_used: impl Fn(&str) -> bool,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) {
    let Some(value) = value(settings).filter(|value| !is_used(value)) else { return };
    let Some(file) = Configuration::new(settings.file.as_ref(), diagnostics) else { return };
    let message = match value {
        "" => format!("{unused} an empty token"),
        value => format!("{unused} `{value}`"),
    };
    diagnostics.report(Code::UnusedSetting, file.place(table, value), message).help(*help);
}
