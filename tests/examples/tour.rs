//! A tour of the API: one stop per area, each with a few lines that could be in your own program.
//!
//! ```sh
//! cargo run -p tests --example tour
//! ```
//!
//! It needs no account: the calls go over real HTTP to a server in this process, which prints the requests (`→`). The
//! lines after them are printed from the responses (`←`). The server is the fake tenant of `tests/tenant/`.

#![allow(deprecated, reason = "a document may deprecate what this calls")]

use std::error::Error as StdError;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use access_governance::models::{
    AppEntitlementRef, AutomationStepKind, HookBuiltinPattern, PersonalClientUpdate,
    PrivateKeyJwtAuthentication, SsoClientAuthentication, SsoClientUpdate, TaskExpandPath,
    TaskOrigin, UserRef,
};
use access_governance::runtime::Recorder;
use access_governance::{Client, Edit, Error, Map, Timestamp, TypedObject, Waited};
use tests::server::json;
use tests::{Act, Seen, Server, Tenant};

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let tenant = Tenant::default();
    let server = Server::forgetful(0, move |_, request| answer(&tenant, request))?;

    // The first call obtains a token, which is kept until it expires. If you have a token, use `.bearer_token(…)`; to
    // configure everything by environment variables, use `Client::from_env()`.
    let client = Client::builder(server.url())
        .client_credentials("/oauth/token", "tour", "the-secret-of-the-tour")
        .user_agent("tour/1.0")
        .timeout(Duration::from_secs(10))
        .build()?;

    tasks(&client).await?;
    single_sign_on(&client).await?;
    gateway_keys(&client).await?;
    personal_clients(&client).await?;
    connectors(&client).await?;
    entitlement_owners(&client).await?;
    catalogs(&client).await?;
    functions(&client).await;
    hooks(&client).await?;
    automations(&client).await?;
    role_mining(&client).await?;
    tunnel(&client).await?;
    webhooks(&client).await?;
    drift().await?;

    println!("\nDone: every area of the API.");
    Ok(())
}

/// Required parameters are arguments, optional parameters have setters; `.await` sends the request. Enums are open:
/// every `match` has an arm for future values.
async fn tasks(client: &Client) -> Result<(), Error> {
    stop("Tasks", "create a task that runs a connector's action");

    let form: Map = [("groupName".to_owned(), "platform".into())].into_iter().collect();
    let reply = client
        .tasks()
        .create_resource_action("create-group")
        .form_values(form)
        .expand([TaskExpandPath::AppId, TaskExpandPath::ApproverIds])
        .await?;

    // Related objects are decoded when they are needed, as any model.
    let app = reply.app().and_then(TypedObject::type_name).unwrap_or_default();
    println!("  ← for an {app}, approved by {} users", reply.approvers().count());

    let task = reply.task_view.and_then(|view| view.task).unwrap_or_default();
    let origin = match task.origin {
        Some(TaskOrigin::Api) => "the API".to_owned(),
        Some(TaskOrigin::Webapp) => "the web app".to_owned(),
        Some(other) => other.to_string(),
        None => "an unknown origin".to_owned(),
    };
    let actions = task.actions.unwrap_or_default();
    println!(
        "  ← task {} from {origin}, with {} actions",
        task.numeric_id.unwrap_or_default(),
        actions.len()
    );
    Ok(())
}

/// An object with exactly one of several properties is an enum with data.
async fn single_sign_on(client: &Client) -> Result<(), Error> {
    stop("Single sign-on", "rotate the keys of an OAuth client");

    let keys = PrivateKeyJwtAuthentication::new().public_jwks(r#"{"keys":[]}"#);
    let configuration = SsoClientUpdate::new()
        .display_name("Time sheets")
        .authentication(SsoClientAuthentication::PrivateKeyJwt(keys));
    let reply = client
        .sso_clients()
        .update("app-1", "sso-1")
        .client_id("client-1")
        .client(configuration)
        .await?;

    match reply.client.and_then(|client| client.authentication) {
        Some(SsoClientAuthentication::PrivateKeyJwt(keys)) => {
            println!("  ← keys {}", keys.public_jwks.unwrap_or_default());
        }
        Some(SsoClientAuthentication::Unknown(method)) => {
            println!("  ← an unknown method: {:?}", method.properties());
        }
        other => println!("  ← {other:?}"),
    }
    Ok(())
}

/// `Debug` redacts secrets; `expose` returns them.
async fn gateway_keys(client: &Client) -> Result<(), Error> {
    stop("Model gateway keys", "mint a key");

    let reply = client.gateway_keys().mint().display_name("Notebook").await?;
    println!("  ← {reply:?}");
    if let Some(key) = reply.plaintext_key {
        println!("  ← a secret of {} characters, for the vault", key.expose().len());
    }
    Ok(())
}

/// An edit sends what was changed, and names it in the update mask. Timestamps are typed.
async fn personal_clients(client: &Client) -> Result<(), Box<dyn StdError>> {
    stop("Personal clients", "let a credential expire");

    let end: Timestamp = "2026-12-31T23:59:59Z".parse()?;
    let update = || client.personal_clients().update("credential-1");
    let rename = update()
        .client(PersonalClientUpdate::new().display_name("Export"))
        .set_mask([PersonalClientUpdate::DISPLAY_NAME]);
    let mut edit = Edit::new(rename.await?.client.unwrap_or_default());
    edit.expires_time = Some(end);
    edit.allow_source_cidr = None;
    match update().send_edit(&edit).await? {
        Some(reply) => println!("  ← changed {:?}: {:?}", edit.changes(), reply.client),
        None => println!("  ← nothing to change"),
    }
    Ok(())
}

/// Options of the call begin with `with_`; parameters of the API do not.
async fn connectors(client: &Client) -> Result<(), Error> {
    stop("Connectors", "set the owners, then pause");

    client
        .connectors()
        .set_owners("app-1", "connector-1")
        .role_slug("app_owner")
        .user_refs([UserRef::new().id("user-1"), UserRef::new().id("user-2")])
        .with_timeout(Duration::from_secs(3))
        .with_header("x-change-ticket", "CHG-42")
        .await?;
    client.connectors().pause_sync("app-1", "connector-1").await?;
    println!("  ← an empty response");
    Ok(())
}

/// Lists are streams of items, whose pages are requested as needed. They implement `futures::Stream`, too.
async fn entitlement_owners(client: &Client) -> Result<(), Error> {
    stop("Entitlements and owners", "list the owners of an entitlement, and bind a request schema");

    let mut owners =
        client.entitlement_owners().list("app-1", "entitlement-1").page_size(1).items();
    while let Some(owner) = owners.try_next().await? {
        println!(
            "  ← {} <{}>",
            owner.display_name.unwrap_or_default(),
            owner.email.unwrap_or_default()
        );
    }

    let entitlement = AppEntitlementRef::new().app_id("app-1").id("entitlement-1");
    let binding = client.request_schemas().find_binding().entitlement_ref(entitlement).await?;
    println!("  ← bound to {}", binding.request_schema_id.unwrap_or_default());
    Ok(())
}

/// Identifiers are encoded, so that each stays in its segment of the path.
async fn catalogs(client: &Client) -> Result<(), Error> {
    stop("Request catalogs", "add an entitlement, then hide the catalog");

    let catalogs = client.catalogs();
    let entry = catalogs
        .create_requestable_entry("catalog 1/2", "app-1", "100%")
        .create_requests(true)
        .await?;
    println!("  ← {entry:?}");

    let bindings = [AppEntitlementRef::new().app_id("app-1").id("entitlement-1")];
    catalogs.remove_access_entitlements("catalog 1/2").access_entitlements(bindings).await?;
    Ok(())
}

/// `Display` describes an error to people; predicates classify it for programs.
async fn functions(client: &Client) {
    stop("Functions", "get one that does not exist");

    match client.functions().get("gone").await {
        Ok(reply) => println!("  ← {reply:?}"),
        Err(error) if error.is_retryable() => println!("  ← retryable: {error}"),
        Err(error) if error.is_auth() => println!("  ← check the credentials: {error}"),
        Err(error) => {
            println!("  ← {error}\n  ← body: {}", String::from_utf8_lossy(error.body()));
        }
    }
}

/// `send_raw` returns the status, the headers and the body, and decodes it only when asked.
async fn hooks(client: &Client) -> Result<(), Error> {
    stop("Hooks", "list them");

    let reply = client.hooks().list().send_raw().await?;
    println!(
        "  ← HTTP {}, {} headers, {} bytes",
        reply.status(),
        reply.headers().len(),
        reply.body().len()
    );
    let hooks = reply.decode()?;
    for hook in hooks.list.iter().flatten().take(3) {
        match &hook.builtin_pattern {
            Some(HookBuiltinPattern::BlockOutput(pattern)) => {
                println!("  ← blocks output on {:?}", pattern.surfaces);
            }
            Some(HookBuiltinPattern::CreditCardBlocking(_)) => println!("  ← blocks credit cards"),
            Some(pattern) => println!("  ← {pattern:?}"),
            None => println!("  ← calls {:?}", hook.function),
        }
    }
    Ok(())
}

/// Properties and values that are newer than these bindings are retained: they can be read, and are sent back unchanged.
async fn automations(client: &Client) -> Result<(), Error> {
    stop("Automations", "read the steps of one");

    let automation = client.automations().get("automation-1").await?.automation.unwrap_or_default();
    for step in automation.automation_steps.iter().flatten() {
        match &step.kind {
            Some(AutomationStepKind::WaitForDuration(wait)) => println!("  ← waits: {wait:?}"),
            Some(AutomationStepKind::Unknown(kind)) => {
                println!("  ← an unknown kind: {:?}", kind.properties());
            }
            Some(kind) => println!("  ← {kind:?}"),
            None => println!("  ← does nothing yet"),
        }
    }

    // A call can take effect later: `poll` calls again until a reply shows it, `wait` until the API says so.
    let executions = client.automation_executions();
    let mut polling = executions.get("4712").poll().every(Duration::from_millis(100));
    polling.until(|reply| reply.view.is_some()).await?;
    match polling.until_finished().await? {
        Waited::Finished(reply) => {
            let execution = reply.automation_execution.unwrap_or_default();
            println!("  ← the execution took {}", execution.duration.unwrap_or_default());
        }
        Waited::Unfinished(_) => println!("  ← the execution is still running"),
    }
    Ok(())
}

/// Undescribed parameters can be sent, too, and `items_by` names the one that takes the page token.
async fn role_mining(client: &Client) -> Result<(), Error> {
    stop("Role mining", "list analyses");

    let mut analyses = client
        .role_mining()
        .list_custom_analysis_results()
        .with_query("page_size", "1")
        .items_by("page_token");
    while let Some(analysis) = analyses.try_next().await? {
        let (suggestions, people) =
            (analysis.suggestions_generated.unwrap_or(0), analysis.cohort_size.unwrap_or(0));
        println!("  ← {suggestions} suggestions for {people} people");
    }
    Ok(())
}

/// An operation that returns an empty object returns `()`.
async fn tunnel(client: &Client) -> Result<(), Error> {
    stop("Tunnel", "delete a bridge");

    client.bridges().delete("bridge-1").await?;
    Ok(())
}

/// `.send().await` is the long form of `.await`.
async fn webhooks(client: &Client) -> Result<(), Error> {
    stop("Webhooks", "subscribe");

    let create = client
        .webhooks()
        .create()
        .url("https://archive.example.com/events")
        .callback_timeout("30s");
    let webhook = create.send().await?.webhook.unwrap_or_default();
    println!(
        "  ← {} is called within {}",
        webhook.id.unwrap_or_default(),
        webhook.callback_timeout.unwrap_or_default()
    );
    Ok(())
}

/// What a newer server really does, back into the document: record, compare, correct, and see what that changes.
async fn drift() -> Result<(), Box<dyn StdError>> {
    stop("Drift", "record a server that differs from the document, and correct the document");

    let tenant = Tenant::drifting();
    let server = Server::forgetful(0, move |_, request| tenant.answer(request))?;
    let folder = env::temp_dir().join(format!("tour-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let recorder = Recorder::to_file(folder.join("traffic.ndjson"));
    let client =
        Client::builder(server.url()).bearer_token("any").record(recorder.clone()).build()?;
    for action in ["create-group", "delete-group", "rename-group"] {
        client.tasks().create_resource_action(action).await?;
        let _ = client.connectors().pause_sync("app-1", "connector-1").await;
    }
    recorder.flush();

    fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml"),
        folder.join("openapi.yaml"),
    )?;
    let generator = |arguments: &str| openapi_bindings(arguments, &folder);
    println!(
        "{}",
        generator("drift traffic.ndjson --spec openapi.yaml --overlay corrections.yaml")?
    );
    fs::write(folder.join("corrected.yaml"), generator("overlay openapi.yaml corrections.yaml")?)?;
    println!("{}", generator("drift traffic.ndjson --spec corrected.yaml")?);
    println!("{}", generator("diff openapi.yaml corrected.yaml")?);
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Runs the generator in a folder, and returns its output.
fn openapi_bindings(arguments: &str, folder: &Path) -> io::Result<String> {
    println!("  $ openapi-bindings {arguments}");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "openapi-bindings"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"), "--"])
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn stop(area: &str, what: &str) {
    println!("\n{area}: {what}");
}

/// Prints a request, and answers it as the fake tenant does, but adds a property that the spec does not describe.
fn answer(tenant: &Tenant, request: &Seen) -> Act {
    println!("  → {}", request.line());
    if request.headers.get("content-type").is_some_and(|ty| ty == "application/json") {
        println!("    {}", request.body);
    }
    if request.target == "/api/v1/automations/automation-1" {
        return json(
            200,
            r#"{"automation":{"automationSteps":[{"waitForDuration":{"duration":"60s"}},{"sendFax":{"number":"7"}},{}]}}"#,
        );
    }
    tenant.answer(request)
}
