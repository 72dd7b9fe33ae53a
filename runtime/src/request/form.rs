//! Bodies of the type `application/x-www-form-urlencoded`.

use super::content::{self, Content, Encoding};
use crate::url::percent;
use crate::wire::Wire;

/// Writes a form. A space becomes `%20`, which forms accept like `+`.
pub(super) fn write(form: &dyn Wire, encodings: &[Encoding]) -> Result<String, String> {
    let mut text = String::new();
    content::each(form, encodings, |parameter| parameter, &mut |name, _, content| {
        if !text.is_empty() {
            text.push('&');
        }
        match content {
            Content::Text(value) | Content::Json(value) => {
                text.extend(percent::encode(name));
                text.push('=');
                text.extend(percent::encode(&value));
            }
            Content::Pair(pair) => {
                text.push_str(&pair.name.unwrap_or_default());
                text.push('=');
                text.push_str(&pair.text);
            }
            Content::Upload(_) => return Err("files need `multipart/form-data`".to_owned()),
        }
        Ok(())
    })?;
    Ok(text)
}
