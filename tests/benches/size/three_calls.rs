//! Three calls with the emitted crate, for `measure.sh size`.

use access_governance::{Client, Error};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::builder("https://tenant.example.com").bearer_token("token").build()?;
    let reply = client.tasks().create_resource_action("action-id").await?;
    let task = reply.task_view.and_then(|view| view.task);
    println!("{:?}", task.and_then(|task| task.display_name));

    let owners = client.entitlement_owners();
    let page = owners.list("app-id", "entitlement-id").page_size(50).await?;
    for owner in page.list.unwrap_or_default() {
        println!("{:?}", owner.display_name);
    }

    client.connectors().pause_sync("app-id", "connector-id").await?;
    Ok(())
}
