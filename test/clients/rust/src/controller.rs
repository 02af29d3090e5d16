use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use futures::{FutureExt, StreamExt};
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use k8s_openapi::api::events::v1::Event as RecordedEvent;
use kube::api::{
    Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, Resource, ResourceExt,
};
use kube::runtime::controller::Action;
use kube::runtime::events::{Event as Told, EventType, Recorder};
use kube::runtime::finalizer::{Event, finalizer};
use kube::runtime::{Controller, watcher};
use serde_json::json;

use crate::attempt::eventually;
use crate::{World, config_map};

type Failure = kube::runtime::finalizer::Error<kube::Error>;

/// Keeps a secret of the same name for each config map of a label.
async fn reconcile(source: Arc<ConfigMap>, world: Arc<World>) -> Result<Action, Failure> {
    let secrets: Api<Secret> = Api::default_namespaced(world.client.clone());
    let maps = world.config_maps();
    finalizer(
        &maps.clone(),
        "winnow.dev/keeps-a-secret",
        source,
        async |event| {
            match event {
                Event::Apply(source) => {
                    let secret = json!({
                        "apiVersion": "v1",
                        "kind": "Secret",
                        "metadata": { "name": source.name_any(), "ownerReferences": [source.controller_owner_ref(&())] },
                        "stringData": source.data,
                    });
                    let params = PatchParams::apply("kube-rs").force();
                    secrets
                        .patch(&source.name_any(), &params, &Patch::Apply(secret))
                        .await?;
                }
                Event::Cleanup(source) => {
                    let mark = config_map(&format!("cleaned-{}", source.name_any()), &[]);
                    maps.create(&PostParams::default(), &mark).await?;
                }
            }
            Ok(Action::await_change())
        },
    )
    .await
}

pub async fn controller(world: &World) -> anyhow::Result<()> {
    let secrets: Api<Secret> = Api::default_namespaced(world.client.clone());
    let ours = watcher::Config::default().labels("app=ours");
    let runs = Controller::new(world.config_maps(), ours)
        .owns(secrets, watcher::Config::default())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_secs(1)),
            Arc::new(world.clone()),
        )
        .for_each(async |done| {
            if let Err(error) = done {
                eprintln!("{error}: {error:?}");
            }
        });
    futures::select! {
        () = Box::pin(runs).fuse() => Err(anyhow::anyhow!("the controller ended")),
        done = Box::pin(use_it(world)).fuse() => done,
    }
}

async fn use_it(world: &World) -> anyhow::Result<()> {
    let maps = world.config_maps();
    let secrets: Api<Secret> = Api::default_namespaced(world.client.clone());
    maps.create(
        &PostParams::default(),
        &config_map("sky", &[("app", "ours")]),
    )
    .await?;
    eventually(async || Ok(secrets.get_opt("sky").await?.is_some())).await?;
    let uid = secrets.get("sky").await?.uid();
    secrets.delete("sky", &DeleteParams::default()).await?;
    eventually(async || {
        Ok(secrets
            .get_opt("sky")
            .await?
            .is_some_and(|one| one.uid() != uid))
    })
    .await?;
    maps.delete("sky", &DeleteParams::default()).await?;
    eventually(async || Ok(maps.get_opt("sky").await?.is_none())).await?;
    ensure!(maps.get_opt("cleaned-sky").await?.is_some());
    Ok(())
}

pub async fn events(world: &World) -> anyhow::Result<()> {
    let about = world
        .config_maps()
        .create(&PostParams::default(), &config_map("narrated", &[]))
        .await?;
    let told = Told {
        type_: EventType::Normal,
        reason: "Painted".into(),
        note: Some("it is blue".into()),
        action: "Paint".into(),
        secondary: None,
    };
    let recorder = Recorder::new(world.client.clone(), "kube-rs".into());
    // The second time it is counted.
    for _ in 0..2 {
        recorder.publish(&told, &about.object_ref(&())).await?;
    }
    let recorded: Api<RecordedEvent> = Api::default_namespaced(world.client.clone());
    let all = recorded.list(&ListParams::default()).await?;
    let one = all
        .into_iter()
        .find(|one| one.reason.as_deref() == Some("Painted"))
        .context("the event")?;
    ensure!(one.series.context("a series")?.count == 2);
    Ok(())
}
