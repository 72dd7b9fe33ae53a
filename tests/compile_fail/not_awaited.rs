//! A request, or a list of items, is used as if it were its value.

fn spawn(_: impl Future) {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = case_common::Client::builder("https://pets.example.com").build()?;
    println!("{}", client.pets().get("rex").id); //~ E0609
    let _pet = client.pets().get("rex").send()?; //~ E0277 .await
    spawn(client.pets().get("rex")); //~ E0277
    spawn(client.pets().get("rex").send());
    for _pet in client.pets().list("KIND_CAT").items() {} //~ E0277
    let mut pets = client.pets().list("KIND_CAT").items();
    let _pet = pets.next(); //~ E0599 try_next
    let _pets = client.pets().get("rex").items(); //~ E0599
    Ok(())
}
