import { type JsonObject, jsonEquals, metadataOf } from '../../json/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';

/** Kubernetes' own kinds that count generations; most do not. */
const COUNTED: ReadonlySet<string> = new Set([
  'v1/Pod',
  'v1/PodTemplate',
  'v1/ReplicationController',
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'batch/v1/CronJob',
  'batch/v1/Job',
  'discovery.k8s.io/v1/EndpointSlice',
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/IngressClass',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
  'scheduling.k8s.io/v1/PriorityClass',
]);
const OF_KUBERNETES = /^v1$|^(apps|batch|autoscaling|policy)\/|^(?!apiextensions)[a-z.]+\.k8s\.io\//;

/** The generation of a new object. For a kind that does not count them, it is what the client sent, if anything. */
export function firstGeneration(type: ResourceType, { generation }: JsonObject): JsonObject {
  if (countsGenerations(type)) return { generation: 1 };
  return typeof generation === 'number' && generation !== 0 ? { generation } : {};
}

/** Increments the generation if more than metadata and status changes; for a Deployment also if annotations change. */
export function withGeneration(type: ResourceType, body: JsonObject, old: JsonObject): JsonObject {
  const counts = countsGenerations(type) && !jsonEquals(contentOf(type, body), contentOf(type, old));
  return counts ? withNextGeneration(body) : body;
}

/** The object with its generation incremented, if it has one. */
export function withNextGeneration(body: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  if (metadata.generation === undefined) return body;
  return { ...body, metadata: { ...metadata, generation: Number(metadata.generation) + 1 } };
}

function countsGenerations(type: ResourceType): boolean {
  const apiVersion = apiVersionOf(type);
  return !OF_KUBERNETES.test(apiVersion) || COUNTED.has(`${apiVersion}/${type.kind}`);
}

/** The content that counts for the generation. A custom kind without a `/status` has its status in the content. */
function contentOf({ kind, custom, status }: ResourceType, body: JsonObject): JsonObject {
  const { metadata: _metadata, status: own, ...rest } = body;
  const content = custom === undefined || status || own === undefined ? rest : { ...rest, status: own };
  return kind === 'Deployment' ? { ...content, annotations: metadataOf(body).annotations ?? {} } : content;
}
