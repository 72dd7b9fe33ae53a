//! File names of replies: `Content-Disposition` (RFC 6266).

use http::{HeaderMap, header};
use percent_encoding::percent_decode_str;

use crate::error::text::is_misleading;
use crate::wire::charset::{latin_1, parameter};

/// Maximum length of a name, in bytes: that of most file systems.
const MAX_LENGTH: usize = 255;

/// Characters that are no part of a name on some systems.
const FORBIDDEN: [char; 7] = ['"', '*', ':', '<', '>', '?', '|'];

/// Names of devices on Windows, whatever their extension is.
const DEVICES: [&str; 6] = ["aux", "con", "conin$", "conout$", "nul", "prn"];

/// Returns the name of the file in a reply, as one that is safe within a folder.
pub(crate) fn file_name(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_DISPOSITION)?.as_bytes();
    // RFC 6266, section 4.3: a quoted name is ISO-8859-1; servers send UTF-8.
    let text = str::from_utf8(value).map_or_else(|_| latin_1(value), str::to_owned);
    let extended = parameter(&text, "filename*").and_then(|value| extended(&value));
    safe(&extended.or_else(|| parameter(&text, "filename"))?)
}

/// Decodes the value of a parameter with a charset (RFC 8187, section 3.2).
fn extended(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (charset, _, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    let bytes: Vec<u8> = percent_decode_str(encoded).collect();
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(bytes).ok(),
        "iso-8859-1" => Some(latin_1(&bytes)),
        _ => None,
    }
}

/// Returns the last segment of a path without what systems reject or hide. `None` if nothing is left, or a device.
fn safe(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible = last.chars().filter(|char| !char.is_control() && !is_misleading(*char));
    let allowed = visible.map(|char| if FORBIDDEN.contains(&char) { '_' } else { char });
    let name: String = allowed.collect();
    let name = name.trim_matches(|char: char| char == '.' || char.is_whitespace());
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port =
        port.is_some_and(|it| it.chars().count() == 1 && !it.starts_with(char::is_alphabetic));
    let is_device = is_port || DEVICES.contains(&stem.as_str());
    (!name.is_empty() && name.len() <= MAX_LENGTH && !is_device).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn name_of(value: &[u8]) -> Option<String> {
        let value = HeaderValue::from_bytes(value).unwrap();
        file_name(&HeaderMap::from_iter([(header::CONTENT_DISPOSITION, value)]))
    }

    #[test]
    fn names_are_read_in_both_forms() {
        for (value, name) in [
            ("attachment; filename=report.csv", Some("report.csv")),
            ("Attachment;FileName = \"a \\\"b\\\"; c.csv\" ; size=3", Some("a _b_; c.csv")),
            ("attachment; filename=\"old.csv\"; filename*=UTF-8''%e2%82%ac.csv", Some("€.csv")),
            ("attachment; filename*=iso-8859-1'de'%FCber.txt", Some("über.txt")),
            ("attachment; filename*=utf-16''x; filename=y", Some("y")),
            ("attachment; filename*=UTF-8''%ff; filename=y", Some("y")),
            ("attachment; filename=\"üb.txt\"", Some("üb.txt")),
            ("attachment; filename=\"open", Some("open")),
            ("attachment; filename", None),
            ("attachment; new; filename=x; filename=y", Some("x")),
            ("attachment; name=x", None),
            ("filename=x", None),
            ("inline", None),
        ] {
            assert_eq!(name_of(value.as_bytes()).as_deref(), name, "{value}");
        }
        assert_eq!(name_of(b"attachment; filename=\"\xfc.txt\"").as_deref(), Some("ü.txt"));
    }

    #[test]
    fn no_name_leads_out_of_a_folder_or_hides_something() {
        for (name, expected) in [
            ("../../etc/passwd", Some("passwd")),
            ("C:\\\\Windows\\\\a.exe", Some("a.exe")),
            ("a%2Fb", Some("a%2Fb")),
            ("..", None),
            (". .", None),
            ("a/", None),
            (".profile", Some("profile")),
            ("a.txt. ", Some("a.txt")),
            ("x:stream", Some("x_stream")),
            ("NUL.txt", None),
            ("com1", None),
            ("company", Some("company")),
            ("\u{202e}cod.exe", Some("cod.exe")),
            ("a\tb", Some("ab")),
        ] {
            let value = format!("attachment; filename=\"{name}\"");
            assert_eq!(name_of(value.as_bytes()).as_deref(), expected, "{name}");
        }
        let encoded = "attachment; filename*=UTF-8''..%2F..%2F%00%0Aetc%2Fpass%0Dwd";
        assert_eq!(name_of(encoded.as_bytes()).as_deref(), Some("passwd"));
        assert_eq!(name_of(format!("x; filename={}", "é".repeat(128)).as_bytes()), None);
    }
}
