//! An operation is used as if it could do more than the spec describes; the message suggests an alternative.

use case_common::Edit;
use case_common::models::Pet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = case_common::Client::builder("https://pets.example.com").build()?;
    let _items = client.pets().list("KIND_CAT").items_by("page_token");
    //~ E0277 returns no pages
    let _items = client.pets().get("rex").items(); //~ E0277 `.items_by("page_token")`
    let _pages = client.pets().get("rex").pages_by("page_token"); //~ E0277 returns no pages
    let _names = client.pets().names("rex").items();
    let _names = client.pets().names("rex").items_by("page"); //~ E0277 linked
    let _poll = client.pets().remove("rex").poll(); //~ E0277 so it cannot be polled
    let _wait = client.pets().get("rex").wait(); //~ E0277 `.poll().until(
    let _edit = client
        .pets()
        .get("rex")
        .send_edit(&Edit::new(Pet::default())); //~ E0277 pass the new values through the setters
    let _null = client.pets().get("rex").with_null(["name"]); //~ E0277 is not a merge patch
    let _name = client.pets().get(Some("rex")); //~ E0277 set_if_some
    let _blocking = client.pets().get("rex").send_blocking(); //~ E0599
    let _items = client.pets().list("KIND_CAT").items_blocking(); //~ E0599
    let _pages = client.pets().list("KIND_CAT").pages_blocking(); //~ E0599
    let _wait = client.pets().get("rex").wait_blocking(); //~ E0599
    let builder = case_common::Client::builder("https://pets.example.com");
    let _recorded = builder.record("calls.ndjson"); //~ E0599
    Ok(())
}
