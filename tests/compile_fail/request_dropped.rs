//! A request is made and never sent.
#![deny(unused_must_use)]

fn main() {
    let client = case_common::Client::builder("https://pets.example.com")
        .build()
        .unwrap();
    client.pets().get("rex"); //~ unused_must_use
    client.pets().get("rex").send(); //~ unused_must_use
}
