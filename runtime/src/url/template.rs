//! Templates of URLs.

/// Returns a URL with values in place of its variables, such as `{tenant}`. Those without a value remain.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let value = behind.split_once('}').and_then(|(name, behind)| {
            let (_, value) = values.iter().find(|(variable, _)| *variable == name)?;
            Some((value.as_str(), behind))
        });
        let (value, behind) = value.unwrap_or(("{", behind));
        text.push_str(before);
        text.push_str(value);
        rest = behind;
    }
    text + rest
}
