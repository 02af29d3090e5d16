import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tries fabric8's client with its defaults against the service of KUBECONFIG. */
final class Fabric8 {
  private static final String NAMESPACE = "default";
  private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

  public static void main(String[] arguments) {
    Attempt.behaviour("create, update, list by selector, delete", Fabric8::verbs);
    Attempt.behaviour("every patch, and server-side apply", Fabric8::patches);
    Attempt.behaviour("edit, scale", Fabric8::edits);
    Attempt.behaviour("watch by selector, which stays while nothing happens: an object that leaves is DELETED", Fabric8::watches);
    Attempt.behaviour("informer", Fabric8::informs);
    Attempt.behaviour("informer by selector: an object that leaves is deleted", Fabric8::selects);
    Attempt.behaviour("waitUntilCondition", Fabric8::waits);
    Attempt.behaviour("generic resources: a Subscription", Fabric8::generic);
    Attempt.behaviour("leader election", Fabric8::leads);
    System.exit(0);
  }

  private static ConfigMap configMap(String name, Map<String, String> labels) {
    return new ConfigMapBuilder()
        .withNewMetadata().withName(name).withLabels(labels).endMetadata()
        .addToData("colour", "blue")
        .build();
  }

  private static Deployment deployment(String name) {
    Map<String, String> labels = Map.of("app", name);
    return new DeploymentBuilder()
        .withNewMetadata().withName(name).withLabels(labels).endMetadata()
        .withNewSpec()
        .withNewSelector().withMatchLabels(labels).endSelector()
        .withNewTemplate()
        .withNewMetadata().withLabels(labels).endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("registry.example/web:1").endContainer().endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Resource<ConfigMap> map(String name) {
    return CLIENT.configMaps().inNamespace(NAMESPACE).withName(name);
  }

  private static FilterWatchListDeletable<ConfigMap, ?, Resource<ConfigMap>> maps(String key, String value) {
    return CLIENT.configMaps().inNamespace(NAMESPACE).withLabel(key, value);
  }

  private static ConfigMap create(String name, Map<String, String> labels) {
    return CLIENT.resource(configMap(name, labels)).inNamespace(NAMESPACE).create();
  }

  private static void verbs() {
    Deployment made = CLIENT.resource(deployment("verbs")).inNamespace(NAMESPACE).create();
    Attempt.check(made.getSpec().getReplicas() == 1, made);
    made.getSpec().setReplicas(2);
    Deployment updated = CLIENT.resource(made).update();
    Attempt.check(updated.getMetadata().getGeneration() == 2, updated);
    var listed = CLIENT.apps().deployments().inNamespace(NAMESPACE).withLabelIn("app", "verbs", "other").list();
    Attempt.check(listed.getItems().size() == 1, listed);
    CLIENT.resource(updated).delete();
    Attempt.check(CLIENT.resource(updated).get() == null, "is still there");
  }

  private static void patches() {
    create("patches", Map.of());
    map("patches").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"merge\":\"1\"}}");
    map("patches").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"strategic\":\"1\"}}");
    map("patches").patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"1\"}]");
    ConfigMap red = new ConfigMapBuilder(configMap("patches", null)).addToData("colour", "red").build();
    try {
      CLIENT.resource(red).inNamespace(NAMESPACE).serverSideApply();
      throw new AssertionError("no conflict");
    } catch (KubernetesClientException conflict) {
      Attempt.check(conflict.getCode() == 409, conflict);
    }
    ConfigMap applied = CLIENT.resource(red).inNamespace(NAMESPACE).forceConflicts().serverSideApply();
    Attempt.check(applied.getData().size() == 4 && applied.getData().get("colour").equals("red"), applied);
  }

  private static void edits() {
    CLIENT.resource(deployment("edits")).inNamespace(NAMESPACE).create();
    var edited = CLIENT.apps().deployments().inNamespace(NAMESPACE).withName("edits");
    edited.edit(one -> new DeploymentBuilder(one).editMetadata().addToLabels("tier", "front").endMetadata().build());
    Attempt.check(edited.get().getMetadata().getLabels().get("tier").equals("front"), edited.get());
    edited.scale(4);
    Attempt.check(edited.get().getSpec().getReplicas() == 4, edited.get());
  }

  private static void watches() throws Exception {
    Attempt.Told told = new Attempt.Told();
    Watcher<ConfigMap> watcher = new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap one) {
        told.note(action + " ", one.getMetadata().getName());
      }

      @Override
      public void onClose(WatcherException cause) {
        told.note("closed ", String.valueOf(cause));
      }
    };
    try (Watch watch = maps("watch", "yes").watch(watcher)) {
      told.staysQuiet();
      create("watched", Map.of("watch", "yes"));
      map("watched").edit(one -> new ConfigMapBuilder(one).editMetadata().removeFromLabels("watch").endMetadata().build());
      told.until("ADDED watched", "DELETED watched");
    }
  }

  private static ResourceEventHandler<ConfigMap> handler(Attempt.Told told) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap one) {
        told.note("+", one.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap one) {
        told.note("~", one.getMetadata().getName());
      }

      @Override
      public void onDelete(ConfigMap one, boolean unknown) {
        told.note("-", one.getMetadata().getName());
      }
    };
  }

  private static void informs() throws Exception {
    create("informed-1", Map.of("set", "informer"));
    Attempt.Told told = new Attempt.Told();
    try (SharedIndexInformer<ConfigMap> informer = maps("set", "informer").inform(handler(told))) {
      create("informed-2", Map.of("set", "informer"));
      map("informed-1").edit(one -> new ConfigMapBuilder(one).addToData("colour", "red").build());
      map("informed-2").delete();
      told.until("+informed-1", "+informed-2", "~informed-1", "-informed-2");
      String colour = informer.getStore().list().get(0).getData().get("colour");
      Attempt.check(informer.hasSynced() && colour.equals("red"), colour);
    }
  }

  private static void selects() throws Exception {
    Attempt.Told told = new Attempt.Told();
    var selected = CLIENT.configMaps().inNamespace(NAMESPACE).withLabelIn("tier", "front").withoutLabel("env", "qa");
    try (SharedIndexInformer<ConfigMap> informer = selected.inform(handler(told))) {
      create("selected", Map.of("tier", "front"));
      map("selected").edit(one -> new ConfigMapBuilder(one).editMetadata().addToLabels("env", "qa").endMetadata().build());
      told.until("+selected", "-selected");
    }
  }

  private static void waits() {
    create("awaited", Map.of());
    new Thread(() -> map("awaited").edit(one -> new ConfigMapBuilder(one).addToData("colour", "red").build())).start();
    map("awaited").waitUntilCondition(one -> one != null && "red".equals(one.getData().get("colour")), 120, TimeUnit.SECONDS);
  }

  private static void generic() throws Exception {
    GenericKubernetesResource made = new GenericKubernetesResource();
    made.setApiVersion("winnow.dev/v1");
    made.setKind("Subscription");
    made.setMetadata(configMap("fabric8", Map.of()).getMetadata());
    made.setAdditionalProperty("spec", Map.of("resource", Map.of("version", "v1", "resource", "configmaps")));
    CLIENT.resource(made).inNamespace(NAMESPACE).create();
    var subscription = CLIENT.genericKubernetesResources("winnow.dev/v1", "Subscription").inNamespace(NAMESPACE).withName("fabric8");
    Attempt.eventually("it is synced", () -> "Synced".equals(subscription.get().get("status", "phase")));
    subscription.delete();
  }

  private static void leads() throws Exception {
    CountDownLatch leading = new CountDownLatch(1);
    var config = new LeaderElectionConfigBuilder()
        .withName("fabric8")
        .withLeaseDuration(Duration.ofSeconds(15))
        .withRenewDeadline(Duration.ofSeconds(10))
        .withRetryPeriod(Duration.ofSeconds(2))
        .withReleaseOnCancel()
        .withLock(new LeaseLock(NAMESPACE, "leader", "one"))
        .withLeaderCallbacks(new LeaderCallbacks(leading::countDown, () -> {}, leader -> {}))
        .build();
    var elected = CLIENT.leaderElector().withConfig(config).build().start();
    Attempt.check(leading.await(120, TimeUnit.SECONDS), "nobody leads");
    elected.cancel(true);
    var lease = CLIENT.leases().inNamespace(NAMESPACE).withName("leader");
    Attempt.eventually("the lease is let go", () -> List.of("").contains(
        String.valueOf(lease.get().getSpec().getHolderIdentity()).replace("null", "")));
  }
}
