//! A value that the server adds later would have no arm.

use case_common::models::{Food, Kind};

fn kind(kind: &Kind) -> &str {
    //~ E0004
    match kind {
        Kind::Cat => "cat",
        Kind::Dog => "dog",
        Kind::Unknown(value) => value.as_str(),
    }
}

fn food(food: &Food) -> f64 {
    //~ E0004
    match food {
        Food::Meat(food) => food.meat,
        Food::Fish(_) => 1.0,
        Food::Unknown(_) => 0.0,
    }
}

fn open(kind: &Kind) -> &str {
    match kind {
        Kind::Cat => "cat",
        other => other.as_str(),
    }
}

fn main() {
    println!("{}{}", kind(&Kind::Cat), open(&Kind::Dog));
    println!("{}", food(&Food::default()));
}
