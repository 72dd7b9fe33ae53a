//! An operation is used as if it could do more than the spec describes; the message suggests an alternative.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = case_common::Client::builder("https://pets.example.com").build()?;
    let _items = client.pets().list("KIND_CAT").items_by("page_token");
    let _items = client.pets().get("rex").items(); //~ E0599 the spec does not describe a page token
    let _pages = client.pets().get("rex").pages_by("page_token"); //~ E0599 returns no pages
    let _poll = client.pets().remove("rex").poll(); //~ E0599 it cannot be polled
    let _wait = client.pets().get("rex").wait(); //~ E0599 .poll().until(
    let _name = client.pets().get(Some("rex")); //~ E0277 set_if_some
    Ok(())
}
