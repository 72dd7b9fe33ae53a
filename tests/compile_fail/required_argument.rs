//! A required argument is forgotten.

fn main() {
    let client = case_common::Client::builder("https://pets.example.com")
        .build()
        .unwrap();
    let _complete = client.pets().get("rex");
    let _path_parameter = client.pets().get(); //~ E0061
    let _query_parameter = client.pets().list(); //~ E0061
}
