//! Tells how a client library's behaviours went: one line of JSON each, on stdout.

use std::future::Future;
use std::time::Duration;

use serde_json::json;
use tokio::time::{sleep, timeout};

/// Far more than any behaviour takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tries one of them, named as a user would say what the client does, and tells its outcome.
pub async fn behaviour(name: &str, attempt: impl Future<Output = anyhow::Result<()>>) {
    let outcome = match timeout(PATIENCE, attempt).await {
        Ok(Ok(())) => json!({ "behaviour": name }),
        Ok(Err(error)) => json!({ "behaviour": name, "error": format!("{error:#}") }),
        Err(_) => json!({ "behaviour": name, "error": "not in time" }),
    };
    println!("{outcome}");
}

/// Looks again and again until it holds.
pub async fn eventually<Look: Future<Output = anyhow::Result<bool>>>(
    mut look: impl FnMut() -> Look,
) -> anyhow::Result<()> {
    while !look().await? {
        sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
