//! Templates of URLs.

/// Returns a URL with values in place of its variables, such as `{tenant}`. Those without a value remain.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(variable, _)| *variable == name)?;
            Some((value.as_str(), after))
        });
        let (value, after) = value.unwrap_or(("{", after));
        text.push_str(before);
        text.push_str(value);
        rest = after;
    }
    text + rest
}
