//! An option is given to a setter, or a value that is not an integer.

use case_common::resources::pets::List;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = case_common::Client::builder("https://pets.example.com").build()?;
    let list = || client.pets().list("KIND_CAT");
    let size: Option<i64> = None;
    let token: Option<String> = None;
    let _list = list().page_size(size); //~ E0277 set_if_some
    let _list = list().page_token(token.clone()); //~ E0277 set_if_some
    let _list = list().with_query(token.clone(), "a"); //~ E0277 the trait bound `String: From<Option<String>>`
    let _list = list().page_size("50"); //~ E0277 is not an integer
    let _list = list().page_size(50);
    let _list = list().page_size(vec![0_u8].len());
    let _list = list()
        .set_if_some(size, List::page_size)
        .set_if_some(token, List::page_token);
    Ok(())
}
