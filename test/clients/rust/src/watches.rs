use std::pin::pin;

use anyhow::{Context, ensure};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams, ResourceExt};
use kube::core::PartialObjectMeta;
use kube::runtime::watcher::{Config, Event};
use kube::runtime::{WatchStreamExt, reflector, wait, watcher};
use serde_json::json;

use crate::{World, config_map};

pub async fn watcher_by_list(world: &World) -> anyhow::Result<()> {
    into_store(world, "listed", Config::default()).await
}

pub async fn watcher_by_stream(world: &World) -> anyhow::Result<()> {
    into_store(world, "streamed", Config::default().streaming_lists()).await
}

/// What enters, changes in and leaves a selected set, in a store and told.
async fn into_store(world: &World, set: &str, config: Config) -> anyhow::Result<()> {
    let api = world.config_maps();
    let [first, second] = [format!("{set}-1"), format!("{set}-2")];
    api.create(&PostParams::default(), &config_map(&first, &[("set", set)]))
        .await?;
    let (store, writer) = reflector::store();
    let selecting = config.labels(&format!("set in ({set})"));
    let mut events = pin!(watcher(api.clone(), selecting).reflect(writer));
    let mut told = Vec::new();
    while told.last() != Some(&"ready".to_string()) {
        told.push(tell(events.try_next().await?.context("an event")?));
    }
    api.create(
        &PostParams::default(),
        &config_map(&second, &[("set", set)]),
    )
    .await?;
    told.push(tell(events.try_next().await?.context("an event")?));
    let leaves = Patch::Merge(json!({ "metadata": { "labels": { "set": null } } }));
    api.patch(&second, &PatchParams::default(), &leaves).await?;
    told.push(tell(events.try_next().await?.context("an event")?));
    let expected = [
        "begins".into(),
        format!("has {first}"),
        "ready".into(),
        format!("+{second}"),
        format!("-{second}"),
    ];
    ensure!(told == expected, "told {told:?}");
    ensure!(store.state().iter().map(|one| one.name_any()).eq([first]));
    Ok(())
}

fn tell(event: Event<ConfigMap>) -> String {
    match event {
        Event::Init => "begins".into(),
        Event::InitApply(one) => format!("has {}", one.name_any()),
        Event::InitDone => "ready".into(),
        Event::Apply(one) => format!("+{}", one.name_any()),
        Event::Delete(one) => format!("-{}", one.name_any()),
    }
}

pub async fn watcher_of_metadata(world: &World) -> anyhow::Result<()> {
    let api = world.config_maps();
    api.create(
        &PostParams::default(),
        &config_map("metadata", &[("set", "metadata")]),
    )
    .await?;
    let partial: Api<PartialObjectMeta<ConfigMap>> = Api::default_namespaced(world.client.clone());
    let watched = watcher(partial, Config::default().labels("set=metadata"));
    let first = pin!(watched.applied_objects())
        .next()
        .await
        .context("an object")??;
    ensure!(first.name_any() == "metadata");
    Ok(())
}

pub async fn condition(world: &World) -> anyhow::Result<()> {
    let api = world.config_maps();
    let made = api
        .create(&PostParams::default(), &config_map("awaited", &[]))
        .await?;
    let red = |one: Option<&ConfigMap>| {
        one.and_then(|one| one.data.as_ref())
            .is_some_and(|data| data["colour"] == "red")
    };
    let paint = async {
        let red = Patch::Merge(json!({ "data": { "colour": "red" } }));
        api.patch("awaited", &PatchParams::default(), &red).await
    };
    let (seen, painted) = tokio::join!(wait::await_condition(api.clone(), "awaited", red), paint);
    painted?;
    ensure!(seen?.is_some());
    let uid = made.uid().context("a uid")?;
    let gone = wait::conditions::is_deleted(&uid);
    let remove = async { api.delete("awaited", &DeleteParams::default()).await };
    let (seen, removed) = tokio::join!(wait::await_condition(api.clone(), "awaited", gone), remove);
    removed?;
    seen?;
    Ok(())
}
