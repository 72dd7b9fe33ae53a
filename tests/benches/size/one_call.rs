//! One call with the emitted crate, for `measure.sh size`.

use access_governance::{Client, Error};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::builder("https://tenant.example.com").bearer_token("token").build()?;
    let reply = client.tasks().create_resource_action("action-id").await?;
    let task = reply.task_view.and_then(|view| view.task);
    println!("{:?}", task.and_then(|task| task.display_name));
    Ok(())
}
