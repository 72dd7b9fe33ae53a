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

fn decode_wire<T: Model + Default>(bencher: Bencher<'_, '_>, body: &[u8]) {
    bencher
        .counter(BytesCount::of_slice(body))
        .bench_local(|| T::from_json(black_box(body)).expect("the body is valid"));
}

fn decode_derived<T: DeserializeOwned>(bencher: Bencher<'_, '_>, body: &[u8]) {
    bencher
        .counter(BytesCount::of_slice(body))
        .bench_local(|| serde_json::from_slice::<T>(black_box(body)).expect("the body is valid"));
}

fn encode_wire<T: Model + Default>(bencher: Bencher<'_, '_>, body: &[u8]) {
    let value = T::from_json(body).expect("the body is valid");
    bencher.counter(BytesCount::of_slice(body)).bench_local(|| black_box(&value).to_json());
}

fn encode_derived<T: Serialize + DeserializeOwned>(bencher: Bencher<'_, '_>, body: &[u8]) {
    let value: T = serde_json::from_slice(body).expect("the body is valid");
    bencher
        .counter(BytesCount::of_slice(body))
        .bench_local(|| serde_json::to_vec(black_box(&value)).expect("values are JSON"));
}

/// Measures all three ways with one body.
macro_rules! compare {
    ($group:ident: $type:ident, $body:expr) => {
        mod $group {
            use super::*;

            #[divan::bench]
            fn decode_1_derived(bencher: Bencher<'_, '_>) {
                decode_derived::<schema::derived::$type>(bencher, &$body);
            }

            #[divan::bench]
            fn decode_2_wire(bencher: Bencher<'_, '_>) {
                decode_wire::<schema::wire::$type>(bencher, &$body);
            }

            #[divan::bench]
            fn decode_3_flattened(bencher: Bencher<'_, '_>) {
                decode_derived::<schema::flattened::$type>(bencher, &$body);
            }

            #[divan::bench]
            fn encode_1_derived(bencher: Bencher<'_, '_>) {
                encode_derived::<schema::derived::$type>(bencher, &$body);
            }

            #[divan::bench]
            fn encode_2_wire(bencher: Bencher<'_, '_>) {
                encode_wire::<schema::wire::$type>(bencher, &$body);
            }

            #[divan::bench]
            fn encode_3_flattened(bencher: Bencher<'_, '_>) {
                encode_derived::<schema::flattened::$type>(bencher, &$body);
            }
        }
    };
}

compare!(users: Users, bodies::users());
compare!(tasks: Tasks, bodies::tasks());
compare!(hooks: Hooks, bodies::hooks());
compare!(automation: Automation, bodies::automation());
compare!(users_respelled: Users, bodies::users_respelled());
compare!(users_newer: Users, bodies::users_newer());
