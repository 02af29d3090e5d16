//! Tries kube-rs with its defaults against the service of KUBECONFIG.

mod attempt;
mod controller;
mod verbs;
mod watches;

use attempt::behaviour;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Client;
use kube::api::{Api, ObjectMeta};

#[derive(Clone)]
struct World {
    client: Client,
}

impl World {
    fn config_maps(&self) -> Api<ConfigMap> {
        Api::default_namespaced(self.client.clone())
    }
}

fn config_map(name: &str, labels: &[(&str, &str)]) -> ConfigMap {
    let own = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            labels: Some(labels.iter().map(own).collect()),
            ..Default::default()
        },
        data: Some([("colour".into(), "blue".into())].into()),
        ..Default::default()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let world = World {
        client: Client::try_default().await?,
    };
    behaviour(
        "create, get, replace, list by selector, delete",
        verbs::verbs(&world),
    )
    .await;
    behaviour(
        "every patch, and apply with a conflict",
        verbs::patches(&world),
    )
    .await;
    behaviour("entry: get or create, and commit", verbs::entry(&world)).await;
    behaviour("status and scale", verbs::subresources(&world)).await;
    behaviour("delete collection", verbs::delete_collection(&world)).await;
    behaviour("discovery, dynamic objects", verbs::dynamic(&world)).await;
    behaviour("watcher into a store", watches::watcher_by_list(&world)).await;
    behaviour(
        "watcher with streaming_lists",
        watches::watcher_by_stream(&world),
    )
    .await;
    behaviour("watcher of metadata", watches::watcher_of_metadata(&world)).await;
    behaviour("await_condition", watches::condition(&world)).await;
    behaviour(
        "controller: owned objects, finalizer",
        controller::controller(&world),
    )
    .await;
    behaviour(
        "event recorder (events.k8s.io/v1)",
        controller::events(&world),
    )
    .await;
    Ok(())
}
