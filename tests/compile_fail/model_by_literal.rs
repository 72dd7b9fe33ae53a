//! A member that a later version adds would be missing.

use case_common::models::Pet;

fn main() {
    let pet = Pet::default();
    //~ E0639
    let _changed = Pet {
        id: "tom".to_owned(),
        ..pet.clone()
    };
    let Pet { id: _, kind: _, .. } = pet.clone();
    //~ E0638
    let Pet {
        id: _,
        kind: _,
        tags: _,
        food: _,
    } = pet;
}
