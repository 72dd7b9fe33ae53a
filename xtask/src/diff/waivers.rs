//! `waivers.toml`: changes that may break programs all the same, each with the reason.

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::DeTable;

use crate::exit::{Exit, Failure};
use crate::read;

/// The reasons by the fingerprints of the changes.
pub type Waivers = BTreeMap<String, String>;

/// Reads the waivers beside a spec; there are none if there is no file.
pub fn beside(spec: &Path) -> Result<Waivers, Failure> {
    let path = spec.with_file_name("waivers.toml");
    if !path.exists() {
        return Ok(Waivers::new());
    }
    let text = read::text(&path, Exit::Failed)?;
    parse(&text).map_err(|message| {
        Failure::new(format!("{}: {message}", path.display())).help(
            "write `[[waiver]]` with a `fingerprint`, as `cargo xtask diff` prints it, and a `reason`",
        )
    })
}

fn parse(text: &str) -> Result<Waivers, String> {
    let root = DeTable::parse(text).map_err(|error| error.to_string())?;
    let mut waivers = Waivers::new();
    for (key, value) in root.get_ref() {
        let list = value.get_ref().as_array().filter(|_| key.get_ref() == "waiver");
        for waiver in list.ok_or_else(|| format!("unknown key `{}`", key.get_ref()))? {
            let entries = waiver.get_ref().as_table().ok_or("a waiver must be a table")?;
            let text = |name: &str| {
                let value = entries.get(name).and_then(|value| value.get_ref().as_str());
                value.filter(|text| !text.trim().is_empty()).map(str::to_owned)
            };
            let fingerprint = text("fingerprint").ok_or("a waiver has no `fingerprint`")?;
            let reason =
                text("reason").ok_or_else(|| format!("`{fingerprint}` has no `reason`"))?;
            let is_unknown = |key: &&str| !["fingerprint", "reason"].contains(key);
            if let Some(key) = entries.keys().map(|key| key.get_ref().as_ref()).find(is_unknown) {
                return Err(format!("`{fingerprint}` has an unknown key `{key}`"));
            }
            waivers.insert(fingerprint, reason);
        }
    }
    Ok(waivers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waivers_have_a_fingerprint_and_a_reason() {
        let waivers = parse("[[waiver]]\nfingerprint = \"a\"\nreason = \"b\"\n").unwrap();
        assert_eq!(waivers, Waivers::from([("a".to_owned(), "b".to_owned())]));
        assert!(parse("").unwrap().is_empty());
        for (text, message) in [
            ("[[waiver]]\nreason = \"b\"\n", "no `fingerprint`"),
            ("[[waiver]]\nfingerprint = \"a\"\nreason = \" \"\n", "`a` has no `reason`"),
            ("[[waiver]]\nfingerprint = \"a\"\nreason = \"b\"\nuntil = 1\n", "unknown key `until`"),
            ("[[waivers]]\n", "unknown key `waivers`"),
            ("waiver = 1\n", "unknown key `waiver`"),
        ] {
            assert!(parse(text).unwrap_err().contains(message), "{text}");
        }
    }
}
