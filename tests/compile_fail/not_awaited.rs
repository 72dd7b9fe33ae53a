//! A request, a list of items or a wait is used as if it were its value.

fn spawn(_: impl Future) {}

async fn program(client: case_common::Client) -> Result<(), case_common::Error> {
    println!("{}", client.pets().get("rex").id); //~ E0609 no field `id`
    let _pet = client.pets().get("rex").send()?; //~ E0277 consider `await`ing on the `Future`
    let _pet: case_common::models::Pet = client.pets().get("rex"); //~ E0308 found `Request<Get>`
    spawn(client.pets().get("rex")); //~ E0277 is not a future
    spawn(client.pets().get("rex").send());
    spawn(client.pets().get("rex").poll()); //~ E0277 is not a future
    for _pet in client.pets().list("KIND_CAT").items() {} //~ E0277 is not an iterator
    let mut pets = client.pets().list("KIND_CAT").items();
    let _pet = pets.next(); //~ E0599 try_next
    let _pets: Vec<case_common::models::Pet> = pets.collect().await; //~ E0308 use the `?` operator
    Ok(())
}

fn main() {
    let _ = program;
}
