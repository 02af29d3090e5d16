import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Configuration;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.Map;

/** Tries the official client of Java with its defaults against the service of KUBECONFIG. */
final class Official {
  private static final String NAMESPACE = "default";
  private static ApiClient client;
  private static CoreV1Api core;

  public static void main(String[] arguments) throws Exception {
    client = Config.defaultClient();
    Configuration.setDefaultApiClient(client);
    core = new CoreV1Api(client);
    Attempt.behaviour("create, replace, list by selector, delete", Official::verbs);
    Attempt.behaviour("delete of a pod, which it returns", Official::deletes);
    Attempt.behaviour("generic client, merge patch", Official::generic);
    Attempt.behaviour("shared informer, which stays while nothing happens", Official::informs);
    System.exit(0);
  }

  private static V1ConfigMap configMap(String name, Map<String, String> labels) {
    return new V1ConfigMap()
        .apiVersion("v1")
        .kind("ConfigMap")
        .metadata(new V1ObjectMeta().name(name).namespace(NAMESPACE).labels(labels))
        .data(Map.of("colour", "blue"));
  }

  private static V1PodTemplateSpec template(Map<String, String> labels) {
    V1Container container = new V1Container().name("web").image("registry.example/web:1");
    return new V1PodTemplateSpec()
        .metadata(new V1ObjectMeta().labels(labels))
        .spec(new V1PodSpec().addContainersItem(container));
  }

  private static void verbs() throws ApiException {
    AppsV1Api apps = new AppsV1Api(client);
    Map<String, String> labels = Map.of("app", "verbs");
    V1DeploymentSpec spec = new V1DeploymentSpec()
        .selector(new V1LabelSelector().matchLabels(labels))
        .template(template(labels));
    V1Deployment made = apps.createNamespacedDeployment(NAMESPACE,
        new V1Deployment().metadata(new V1ObjectMeta().name("verbs").labels(labels)).spec(spec)).execute();
    Attempt.check(made.getSpec().getReplicas() == 1, made);
    made.getSpec().setReplicas(2);
    made = apps.replaceNamespacedDeployment("verbs", NAMESPACE, made).execute();
    Attempt.check(made.getMetadata().getGeneration() == 2, made);
    var listed = apps.listNamespacedDeployment(NAMESPACE).labelSelector("app in (verbs,other)").execute();
    Attempt.check(listed.getItems().size() == 1, listed);
    apps.deleteNamespacedDeployment("verbs", NAMESPACE).execute();
    try {
      apps.readNamespacedDeployment("verbs", NAMESPACE).execute();
      throw new AssertionError("is still there");
    } catch (ApiException gone) {
      Attempt.check(gone.getCode() == 404, gone);
    }
  }

  private static void deletes() throws ApiException {
    var pod = new V1Pod()
        .metadata(new V1ObjectMeta().name("deleted"))
        .spec(template(Map.of()).getSpec());
    core.createNamespacedPod(NAMESPACE, pod).execute();
    var deleted = core.deleteNamespacedPod("deleted", NAMESPACE).execute();
    Attempt.check("deleted".equals(deleted.getMetadata().getName()), deleted);
  }

  private static GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps() {
    return new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
  }

  private static void generic() throws ApiException {
    maps().create(configMap("generic", null)).throwsApiException();
    V1Patch red = new V1Patch("{\"data\":{\"colour\":\"red\"}}");
    var patched = maps().patch(NAMESPACE, "generic", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, red).throwsApiException();
    Attempt.check(patched.getObject().getData().get("colour").equals("red"), patched.getObject());
    maps().delete(NAMESPACE, "generic").throwsApiException();
  }

  private static void informs() throws Exception {
    core.createNamespacedConfigMap(NAMESPACE, configMap("informed-1", Map.of("set", "informer"))).execute();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
        asked -> core.listNamespacedConfigMap(NAMESPACE)
            .labelSelector("set=informer")
            .resourceVersion(asked.resourceVersion)
            .timeoutSeconds(asked.timeoutSeconds)
            .watch(asked.watch)
            .buildCall(null),
        V1ConfigMap.class,
        V1ConfigMapList.class);
    Attempt.Told told = new Attempt.Told();
    informer.addEventHandler(handler(told));
    factory.startAllRegisteredInformers();
    Attempt.eventually("it is synced", informer::hasSynced);
    core.createNamespacedConfigMap(NAMESPACE, configMap("informed-2", Map.of("set", "informer"))).execute();
    V1ConfigMap red = configMap("informed-1", Map.of("set", "informer")).data(Map.of("colour", "red"));
    core.replaceNamespacedConfigMap("informed-1", NAMESPACE, red).execute();
    V1ConfigMap left = configMap("informed-2", Map.of("set", "other"));
    core.replaceNamespacedConfigMap("informed-2", NAMESPACE, left).execute();
    told.until("+informed-1", "+informed-2", "~informed-1", "-informed-2");
    String colour = informer.getIndexer().getByKey(NAMESPACE + "/informed-1").getData().get("colour");
    Attempt.check(colour.equals("red"), colour);
    told.staysQuiet();
    factory.stopAllRegisteredInformers();
  }

  private static ResourceEventHandler<V1ConfigMap> handler(Attempt.Told told) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(V1ConfigMap one) {
        told.note("+", one.getMetadata().getName());
      }

      @Override
      public void onUpdate(V1ConfigMap before, V1ConfigMap one) {
        told.note("~", one.getMetadata().getName());
      }

      @Override
      public void onDelete(V1ConfigMap one, boolean unknown) {
        told.note("-", one.getMetadata().getName());
      }
    };
  }
}
