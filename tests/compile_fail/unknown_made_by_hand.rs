//! An unknown value would get the name of a known one.

use case_common::models::{Food, Kind};
use case_common::runtime::{UnknownUnion, UnknownValue};

fn main() {
    let _known: Kind = "KIND_CAT".into();
    let _value = Kind::Unknown(UnknownValue("KIND_CAT".into())); //~ E0423
    let _converted = Kind::Unknown("KIND_CAT".into()); //~ E0277
    let _union = Food::Unknown(UnknownUnion::from(case_common::Map::new())); //~ E0308
}
