use anyhow::{Context, ensure};
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{
    Api, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams, ResourceExt,
};
use kube::discovery::{Discovery, Scope};
use serde_json::json;

use crate::{World, config_map};

fn deployment(name: &str) -> anyhow::Result<Deployment> {
    Ok(serde_json::from_value(json!({
        "metadata": { "name": name, "labels": { "app": name } },
        "spec": {
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "web", "image": "registry.example/web:1" }] }
            }
        }
    }))?)
}

fn is(error: &kube::Error, code: u16) -> bool {
    matches!(error, kube::Error::Api(status) if status.code == code)
}

pub async fn verbs(world: &World) -> anyhow::Result<()> {
    let api: Api<Deployment> = Api::default_namespaced(world.client.clone());
    let mut made = api
        .create(&PostParams::default(), &deployment("verbs")?)
        .await?;
    let stale = made.clone();
    ensure!(made.spec.as_ref().context("a spec")?.replicas == Some(1));
    made.spec.as_mut().context("a spec")?.replicas = Some(2);
    let replaced = api.replace("verbs", &PostParams::default(), &made).await?;
    ensure!(replaced.metadata.generation == Some(2));
    let conflict = api.replace("verbs", &PostParams::default(), &stale).await;
    ensure!(is(&conflict.expect_err("a conflict"), 409));
    let listed = api
        .list(&ListParams::default().labels("app in (verbs,other)"))
        .await?;
    ensure!(listed.items.len() == 1);
    ensure!(api.list_metadata(&ListParams::default()).await?.items[0].name_any() == "verbs");
    api.delete("verbs", &DeleteParams::default()).await?;
    ensure!(api.get_opt("verbs").await?.is_none());
    Ok(())
}

pub async fn patches(world: &World) -> anyhow::Result<()> {
    let api = world.config_maps();
    api.create(&PostParams::default(), &config_map("patches", &[]))
        .await?;
    let params = PatchParams::default();
    api.patch(
        "patches",
        &params,
        &Patch::Merge(json!({ "data": { "merge": "1" } })),
    )
    .await?;
    api.patch(
        "patches",
        &params,
        &Patch::Strategic(json!({ "data": { "strategic": "1" } })),
    )
    .await?;
    let red = json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "colour": "red" } });
    let painter = PatchParams::apply("painter");
    let conflict = api.patch("patches", &painter, &Patch::Apply(&red)).await;
    ensure!(is(&conflict.expect_err("a conflict"), 409));
    let applied = api
        .patch("patches", &painter.force(), &Patch::Apply(&red))
        .await?;
    let data = applied.data.context("data")?;
    ensure!(data["colour"] == "red" && data.len() == 3, "{data:?}");
    Ok(())
}

pub async fn entry(world: &World) -> anyhow::Result<()> {
    let api = world.config_maps();
    for colour in ["blue", "red"] {
        let mut entry = api
            .entry("entry")
            .await?
            .or_insert(|| config_map("entry", &[]))
            .and_modify(|one| {
                one.data
                    .get_or_insert_default()
                    .insert("colour".into(), colour.into());
            });
        entry.commit(&PostParams::default()).await?;
    }
    ensure!(api.get("entry").await?.data.context("data")?["colour"] == "red");
    Ok(())
}

pub async fn subresources(world: &World) -> anyhow::Result<()> {
    let api: Api<Deployment> = Api::default_namespaced(world.client.clone());
    api.create(&PostParams::default(), &deployment("scaled")?)
        .await?;
    let params = PatchParams::default();
    let status = Patch::Merge(json!({ "status": { "observedGeneration": 1, "replicas": 1 } }));
    let marked = api.patch_status("scaled", &params, &status).await?;
    ensure!(marked.status.context("a status")?.observed_generation == Some(1));
    let five = Patch::Merge(json!({ "spec": { "replicas": 5 } }));
    let scale = api.patch_scale("scaled", &params, &five).await?;
    ensure!(scale.spec.context("a spec")?.replicas == Some(5));
    ensure!(api.get("scaled").await?.spec.context("a spec")?.replicas == Some(5));
    Ok(())
}

pub async fn delete_collection(world: &World) -> anyhow::Result<()> {
    let api = world.config_maps();
    for (name, wave) in [("wave-1", "1"), ("wave-2", "1"), ("wave-3", "2")] {
        api.create(&PostParams::default(), &config_map(name, &[("wave", wave)]))
            .await?;
    }
    let first = ListParams::default().labels("wave=1");
    api.delete_collection(&DeleteParams::default(), &first)
        .await?;
    ensure!(
        api.list(&ListParams::default().labels("wave"))
            .await?
            .items
            .len()
            == 1
    );
    Ok(())
}

pub async fn dynamic(world: &World) -> anyhow::Result<()> {
    let discovery = Discovery::new(world.client.clone()).run().await?;
    let group = discovery.get("apps").context("the group apps")?;
    let (resource, capabilities) = group.recommended_kind("Deployment").context("Deployment")?;
    ensure!(capabilities.scope == Scope::Namespaced);
    let api: Api<DynamicObject> = Api::default_namespaced_with(world.client.clone(), &resource);
    let data = serde_json::to_value(deployment("dynamic")?)?;
    let made = DynamicObject::new("dynamic", &resource).data(json!({ "spec": data["spec"] }));
    api.create(&PostParams::default(), &made).await?;
    ensure!(api.get("dynamic").await?.data["spec"]["replicas"] == 1);
    Ok(())
}
