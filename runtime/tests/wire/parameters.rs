//! Values of parameters.

use openapi_bindings_runtime::Param;
use openapi_bindings_runtime::jiff::civil::{date, time};

#[test]
fn dates_and_times_are_written_as_rfc_3339() {
    assert_eq!(date(2024, 2, 29).to_param(), "2024-02-29");
    assert_eq!(time(12, 34, 56, 0).to_param(), "12:34:56");
    assert_eq!(date(2024, 2, 29).at(12, 34, 56, 0).to_param(), "2024-02-29T12:34:56");
}

#[cfg(feature = "uuid")]
#[test]
fn identifiers_are_written_with_hyphens() {
    let id = uuid::Uuid::from_u128(0xf81d_4fae_7dec_11d0_a765_00a0_c91e_6bf6);
    assert_eq!(id.to_param(), "f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
    assert_eq!(String::from(id), id.to_param());
}
