//! The names of types within others.

use super::number::singular;
use super::{camel, snake};

/// Joins a name in `CamelCase` and the name of a part, which does not repeat the words that it follows: `AccessToken`
/// and `token_type` are `AccessTokenType`.
pub fn joined(outer: &str, inner: &str) -> String {
    let (before, after) = (snake(outer), snake(inner));
    let before: Vec<&str> = before.split('_').collect();
    let after: Vec<&str> = after.split('_').collect();
    let repeated = (1..after.len()).rev().find(|&count| before.ends_with(&after[..count]));
    match repeated {
        Some(count) => format!("{outer}{}", camel(&after[count..].join("_"))),
        None => format!("{outer}{}", camel(inner)),
    }
}

/// Joins the name of a union in `CamelCase` and the name of a variant, which does not repeat two or more words in a
/// row: `ChunkingStrategy` and `auto_chunking_strategy` are `ChunkingStrategyAuto`.
pub fn joined_variant(union: &str, variant: &str) -> String {
    joined(union, &without_union(union, variant).unwrap_or_else(|| snake(variant)))
}

/// Returns the name of a variant without two or more words in a row that the name of its union has, if any are left.
pub fn without_union(union: &str, variant: &str) -> Option<String> {
    let (before, after) = (snake(union), snake(variant));
    let before: Vec<&str> = before.split('_').collect();
    let mut after: Vec<&str> = after.split('_').collect();
    let mut start = 0;
    while start < after.len() {
        let is_repeated =
            |count: &usize| before.windows(*count).any(|words| after[start..].starts_with(words));
        match (2..=after.len() - start).rev().find(is_repeated) {
            Some(count) => drop(after.drain(start..start + count)),
            None => start += 1,
        }
    }
    (!after.is_empty()).then(|| after.join("_"))
}

/// Returns the name of an element of a list by the name of the list in `CamelCase`, if that is a plural.
pub fn element(list: &str) -> Option<String> {
    let words = snake(list);
    let plural = words.rsplit('_').next()?;
    let (stem, end) = list.split_at_checked(list.len().checked_sub(plural.len())?)?;
    let singular = singular(plural);
    let is_plural = singular != plural && end.eq_ignore_ascii_case(plural);
    is_plural.then(|| format!("{stem}{}", camel(&singular)))
}

#[cfg(test)]
mod tests {
    use super::{element, joined, joined_variant};

    #[test]
    fn a_part_does_not_repeat_the_words_before_it() {
        let cases = [
            ("AccessToken", "token_type", "AccessTokenType"),
            ("CardOptions", "card options", "CardOptionsCardOptions"),
            ("MethodOptionsCard", "method_options_param", "MethodOptionsCardMethodOptionsParam"),
            ("PaymentMethodOptions", "payment_method_options_param", "PaymentMethodOptionsParam"),
            ("Status", "status", "StatusStatus"),
            ("User", "users_type", "UserUsersType"),
        ];
        for (outer, inner, expected) in cases {
            assert_eq!(joined(outer, inner), expected);
        }
    }

    #[test]
    fn a_variant_does_not_repeat_several_words_of_its_union() {
        let cases = [
            ("ChunkingStrategy", "auto_chunking_strategy", "ChunkingStrategyAuto"),
            ("InputMessages", "ItemReferenceInputMessages", "InputMessagesItemReference"),
            (
                "PaymentMethodOptionsCard",
                "invoice_payment_method_options_param",
                "PaymentMethodOptionsCardInvoiceParam",
            ),
            ("CardOptions", "card options", "CardOptionsCardOptions"),
            ("Event", "error_event", "EventErrorEvent"),
            ("AccessToken", "token_error", "AccessTokenError"),
        ];
        for (union, variant, expected) in cases {
            assert_eq!(joined_variant(union, variant), expected);
        }
    }

    #[test]
    fn an_element_is_named_by_the_singular() {
        let cases = [
            ("PriceTiers", Some("PriceTier")),
            ("OrderItems", Some("OrderItem")),
            ("Matrices", Some("Matrix")),
            ("OrderData", None),
            ("Address", None),
            ("Größen", None),
            ("S", None),
        ];
        for (list, expected) in cases {
            assert_eq!(element(list).as_deref(), expected, "{list}");
        }
    }
}
