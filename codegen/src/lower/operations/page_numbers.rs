//! Lists whose pages have numbers: a query parameter takes the number of a page or of its first item.

use std::iter;

use super::paging::{
    FieldPath, Listing, is_integer, is_number, is_outer, is_text, page_path, wire_path, words,
};
use crate::document::{Pointer, Schema};
use crate::ir::{Field, FieldName, Location, PageNumber, PageUnit, Parameter, Style, Total, Type};
use crate::lower::Annotations;
use crate::names::snake;

/// The query parameters with the number of items in a page.
const SIZES: [&str; 10] = [
    "count", "limit", "max", "max_results", "page_limit", "page_size", "per_page", "size", "take",
    "top",
];

/// The words that follow `total` in the name of the number of items in all pages.
const TOTAL_WORDS: [&str; 7] =
    ["count", "elements", "entries", "items", "records", "results", "rows"];

/// The words before `total` in the name of a header.
const BEFORE_TOTAL: [&str; 2] = ["x", "wp"];

/// The number of items in all pages in SCIM, where the first item is number 1 (RFC 7644, section 3.4.2.4).
const SCIM_TOTAL: &str = "totalResults";

/// The properties of an object that Spring reads as a page, whose pages begin at 0.
const SPRING: [&str; 3] = ["page", "size", "sort"];

pub(super) struct Pair<'a> {
    pub name: &'a FieldName,
    pub wire: String,
    pub ty: &'a Type,
    required: bool,
    /// The JSON pointer to its schema.
    pointer: String,
    is_spring: bool,
}

impl<'a, 'd> Listing<'a, 'd> {
    /// Returns the parameter that the settings name, if the request has it.
    pub(super) fn set_number(&self, total: Option<&Total>) -> Option<PageNumber> {
        let settings = self.context.settings;
        let units =
            [(PageUnit::Item, &settings.page_offset), (PageUnit::Page, &settings.page_number)];
        units.into_iter().find_map(|(unit, name)| {
            let parameter = self.query().find(|it| Some(&it.wire) == name.as_ref())?;
            let usual = u64::from(unit == PageUnit::Page);
            let first = self.default(&parameter).or_else(|| self.minimum(&parameter));
            Some(number(&parameter, unit, first.unwrap_or(usual), total))
        })
    }

    /// Returns the parameter of a GET with a known name and a known first number, next to one for the size of a page.
    pub(super) fn known_number(&self, total: Option<&Total>) -> Option<PageNumber> {
        // Frameworks for JavaScript describe integers as numbers, too.
        let numbers = || self.query().filter(|it| is_number(it.ty));
        let has = |names: &[&str]| numbers().any(|it| names.contains(&&*snake(&it.wire)));
        if self.draft.verb != "GET" || !has(&SIZES) {
            return None;
        }
        let is_scim = matches!(total, Some(Total::Property(path)) if path.wire == SCIM_TOTAL);
        let numbers = numbers().filter(|it| !it.required).filter_map(|parameter| {
            // Generators write a minimum of 0 for all numbers without a sign.
            let one = || self.minimum(&parameter).filter(|minimum| *minimum == 1);
            let first = self.default(&parameter).or_else(one);
            let is_whole = || is_integer(parameter.ty) || self.minimum(&parameter).is_some();
            let zero = || is_whole().then_some(0);
            let (unit, first) = match &*snake(&parameter.wire) {
                "offset" | "page_offset" | "skip" => (PageUnit::Item, first.or_else(zero)?),
                "first" if has(&["max"]) => (PageUnit::Item, first.or_else(zero)?),
                "start_index" if is_scim => (PageUnit::Item, first.unwrap_or(1)),
                "start_at" | "start_index" => (PageUnit::Item, first?),
                "page" if parameter.is_spring => (PageUnit::Page, first.unwrap_or(0)),
                "page" | "page_index" | "page_number" => (PageUnit::Page, first?),
                _ => return None,
            };
            Some(number(&parameter, unit, first, total))
        });
        // The order of the document makes no difference.
        numbers.min_by_key(|number| (number.unit, number.parameter.clone()))
    }

    /// Returns the pairs of the query with their names: parameters, and the properties of objects that are pairs of their own.
    pub(super) fn query(&self) -> impl Iterator<Item = Pair<'a>> {
        let parameters = self.parameters.iter().filter(|it| it.location == Location::Query);
        parameters.flat_map(|parameter| {
            let pointer = format!("{}/schema", parameter.pointer);
            let Parameter { name, wire, ty, required, serialization, .. } = parameter;
            let required = *required;
            let own = Pair { name, wire: wire.clone(), ty, required, pointer, is_spring: false };
            let fields = self.types.as_struct(ty).map_or(&[][..], |(_, object)| &object.fields);
            let has = |name: &&str| fields.iter().any(|field| field.property() == Some(name));
            let is_spring = SPRING.iter().all(has);
            let inner = fields.iter().filter_map(move |field| {
                let property = field.property()?;
                let wire = match serialization.style {
                    Style::Form if serialization.explode => property.to_owned(),
                    Style::DeepObject(_) => format!("{wire}[{property}]"),
                    _ => return None,
                };
                let Field { name, ty, required, .. } = field;
                let pointer = field.pointer.clone();
                Some(Pair { name, wire, ty, required: *required, pointer, is_spring })
            });
            iter::once(own).chain(inner)
        })
    }

    /// Returns what the schema of a parameter says of its values.
    fn annotations(&self, pair: &Pair<'_>) -> Annotations<'d> {
        let schema = self.context.document.at(Pointer::from_escaped(&pair.pointer));
        let of = |schema| Annotations::of(&Schema::from(schema), &self.context.reading);
        schema.map(of).unwrap_or_default()
    }

    /// Returns the number that the server assumes without the parameter, if the document has it.
    fn default(&self, pair: &Pair<'_>) -> Option<u64> {
        self.annotations(pair).default?.scalar()?.parse().ok()
    }

    /// Returns the least number, if a first page or item can have it.
    fn minimum(&self, pair: &Pair<'_>) -> Option<u64> {
        self.annotations(pair).limits.minimum().filter(|minimum| *minimum <= 1)
    }

    /// Returns where replies have the number of items in all pages: where the settings say, or in the page, `beside` the
    /// list or in an object about pages, or in a header.
    pub(super) fn total(&self, paths: &[FieldPath<'a>], beside: &[&Field]) -> Option<Total> {
        let setting = self.context.settings.page_total.as_ref();
        let is_total = |path: &&FieldPath<'_>| match setting {
            Some(name) => wire_path(path) == *name,
            None => !is_text(path) && has_total(path, beside),
        };
        // A number with a fraction can be a sum.
        let is_float = |path: &&FieldPath<'_>| path.last().is_some_and(|it| !is_integer(&it.ty));
        let property = paths.iter().filter(is_total).min_by_key(is_float);
        let is_named = |name: &str| match setting {
            Some(setting) => setting.eq_ignore_ascii_case(name),
            None => {
                is_total_name(snake(name).split('_').skip_while(|it| BEFORE_TOTAL.contains(it)))
            }
        };
        let mut headers = self.replies.headers.iter().filter(|header| {
            is_named(&header.wire) && (is_number(&header.ty) || header.ty == Type::String)
        });
        let in_header = || headers.next().map(|header| Total::Header(header.wire.clone()));
        property.map(|path| Total::Property(page_path(path))).or_else(in_header)
    }
}

fn number(parameter: &Pair<'_>, unit: PageUnit, first: u64, total: Option<&Total>) -> PageNumber {
    PageNumber { parameter: parameter.wire.clone(), unit, first, total: total.cloned() }
}

/// Returns whether a property is called `total`, `totalCount` or the like.
fn has_total(path: &[&Field], beside: &[&Field]) -> bool {
    let Some((last, outer)) = path.split_last() else { return false };
    is_total_name(words(last))
        && (outer.iter().all(|field| is_outer(field)) || wire_path(outer) == wire_path(beside))
}

fn is_total_name<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.next() == Some("total") && words.all(|word| TOTAL_WORDS.contains(&word))
}
