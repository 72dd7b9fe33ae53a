//! Bodies of the type `application/x-www-form-urlencoded`.

use super::content::{self, Content, Encoding};
use crate::url::percent;
use crate::wire::Wire;

/// Writes a form. A space becomes `%20`, which forms accept like `+`.
pub(super) fn write(form: &dyn Wire, encodings: &[Encoding]) -> Result<String, String> {
    let mut text = String::new();
    content::each(form, encodings, &mut |name, _, content| {
        let (Content::Text(value) | Content::Json(value)) = content else {
            return Err("a file needs a form of the type `multipart/form-data`".to_owned());
        };
        if !text.is_empty() {
            text.push('&');
        }
        text.extend(percent::encode(name));
        text.push('=');
        text.extend(percent::encode(&value));
        Ok(())
    })?;
    Ok(text)
}
