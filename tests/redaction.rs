//! `drift` recognizes placeholders as the recorder and the replay of the runtime do.

use std::fs;
use std::path::Path;

use quote::quote;
use syn::{Item, ItemConst, ItemFn};

/// Constants and functions, with their file in the runtime and the one in the generator.
const COPIES: [(&[&str], &str, &str); 2] = [
    (&["PLACEHOLDER"], "runtime/src/secrets/mod.rs", "codegen/traffic/src/value.rs"),
    (&["is_placeholder"], "runtime/src/testing/matching.rs", "codegen/traffic/src/value.rs"),
];

#[test]
fn both_crates_recognize_the_same_placeholders() {
    for (names, runtime, codegen) in COPIES {
        let [one, other] = [runtime, codegen].map(|file| code(file, names));
        assert_eq!(one.len(), names.len(), "{runtime}");
        assert_eq!(one, other, "{runtime}, {codegen}");
    }
}

/// Returns the code of items, without their documentation and visibility.
fn code(file: &str, names: &[&str]) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file));
    let items = syn::parse_file(&text.unwrap()).unwrap().items.into_iter();
    let definitions = items.filter_map(|item| match item {
        Item::Const(ItemConst { ident, ty, expr, .. }) => Some((ident, quote!(#ty = #expr))),
        Item::Fn(ItemFn { sig, block, .. }) => Some((sig.ident.clone(), quote!(#sig #block))),
        _ => None,
    });
    let wanted = definitions.filter(|(name, _)| names.iter().any(|other| name == other));
    wanted.map(|(_, code)| code.to_string()).collect()
}
