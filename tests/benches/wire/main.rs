//! Decoding and encoding of large responses: as emitted code does it, against serde's derive.
//!
//! `cargo bench -p benches --bench wire`

#![allow(
    clippy::expect_used,
    clippy::struct_field_names,
    reason = "a benchmark of an invalid body measures nothing, and the names are those of real bodies"
)]

mod bodies;
mod schema;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use openapi_bindings_runtime::Model;

fn main() {
    divan::main();
}

fn decode<T>(bencher: Bencher<'_, '_>, body: &[u8], decode: impl Fn(&[u8]) -> T) {
    bencher.counter(BytesCount::of_slice(body)).bench_local(|| decode(black_box(body)));
}

fn encode<T>(bencher: Bencher<'_, '_>, body: &[u8], value: &T, encode: impl Fn(&T) -> Vec<u8>) {
    bencher.counter(BytesCount::of_slice(body)).bench_local(|| encode(black_box(value)));
}

/// Measures both ways with one body.
macro_rules! compare {
    ($group:ident: $type:ident, $body:expr) => {
        mod $group {
            use super::*;

            fn derived(body: &[u8]) -> schema::derived::$type {
                serde_json::from_slice(body).expect("the body is valid")
            }

            fn wire(body: &[u8]) -> schema::wire::$type {
                schema::wire::$type::from_json(body).expect("the body is valid")
            }

            #[divan::bench]
            fn decode_1_derived(bencher: Bencher<'_, '_>) {
                decode(bencher, &$body, derived);
            }

            #[divan::bench]
            fn decode_2_wire(bencher: Bencher<'_, '_>) {
                decode(bencher, &$body, wire);
            }

            #[divan::bench]
            fn encode_1_derived(bencher: Bencher<'_, '_>) {
                encode(bencher, &$body, &derived(&$body), |value| {
                    serde_json::to_vec(value).expect("values are JSON")
                });
            }

            #[divan::bench]
            fn encode_2_wire(bencher: Bencher<'_, '_>) {
                encode(bencher, &$body, &wire(&$body), Model::to_json);
            }
        }
    };
}

compare!(users: Users, bodies::users());
compare!(automation: Automation, bodies::automation());
compare!(events_by_first: Events, bodies::events_by_first());
compare!(events_by_last: Events, bodies::events_by_last());
compare!(users_newer: Users, bodies::users_newer());
