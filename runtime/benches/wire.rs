//! Decoding and encoding of large responses: as emitted code does it, against serde's derive.
//!
//! `cargo bench -p access-governance-runtime --bench wire`

#![allow(
    clippy::expect_used,
    clippy::struct_field_names,
    reason = "a benchmark of an invalid body measures nothing, and the names are those of real bodies"
)]

#[path = "wire/bodies.rs"]
mod bodies;
#[path = "wire/schema.rs"]
mod schema;

use access_governance_runtime::Model;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn main() {
    divan::main();
}

fn decode<T>(bencher: Bencher<'_, '_>, body: &[u8], read: fn(&[u8]) -> T) {
    bencher.counter(BytesCount::of_slice(body)).bench_local(|| read(black_box(body)));
}

fn encode<T>(
    bencher: Bencher<'_, '_>,
    body: &[u8],
    read: fn(&[u8]) -> T,
    write: fn(&T) -> Vec<u8>,
) {
    let value = read(body);
    bencher.counter(BytesCount::of_slice(body)).bench_local(|| write(black_box(&value)));
}

fn from_wire<T: Model + Default>(body: &[u8]) -> T {
    T::from_json(body).expect("the body is valid")
}

fn from_serde<T: DeserializeOwned>(body: &[u8]) -> T {
    serde_json::from_slice(body).expect("the body is valid")
}

fn to_serde<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("values are JSON")
}

/// Measures all three ways with one body.
macro_rules! compare {
    ($group:ident: $type:ident, $body:expr) => {
        mod $group {
            use super::*;

            compare!(decode_1_derived, encode_1_derived: derived::$type, $body, from_serde, to_serde);
            compare!(decode_2_wire, encode_2_wire: wire::$type, $body, from_wire, Model::to_json);
            compare!(decode_3_flattened, encode_3_flattened: flattened::$type, $body, from_serde, to_serde);
        }
    };
    ($decode:ident, $encode:ident: $module:ident::$type:ident, $body:expr, $read:path, $write:path) => {
        #[divan::bench]
        fn $decode(bencher: Bencher<'_, '_>) {
            decode::<schema::$module::$type>(bencher, &$body, $read);
        }

        #[divan::bench]
        fn $encode(bencher: Bencher<'_, '_>) {
            encode::<schema::$module::$type>(bencher, &$body, $read, $write);
        }
    };
}

compare!(users: Users, bodies::users());
compare!(hooks: Hooks, bodies::hooks());
compare!(automation: Automation, bodies::automation());
compare!(users_respelled: Users, bodies::users_respelled());
compare!(users_newer: Users, bodies::users_newer());
