//! A value of the wrong type is given to an argument.

fn main() {
    let client = case_common::Client::builder("https://pets.example.com")
        .build()
        .unwrap();
    let _unit = client.pets().get(()); //~ E0277
    let _kind = client.pets().list(true); //~ E0277
    let _text = client.pets().list("KIND_CAT");
}
