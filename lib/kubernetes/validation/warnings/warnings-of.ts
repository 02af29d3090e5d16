import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors } from '../../../selectors/index.ts';
import { child, index, key } from '../../field-errors/index.ts';
import { numberOf, objectsOf, textOf, textsOf } from '../reading.ts';
import { addressWarnings, rangeWarnings } from './address-warnings.ts';
import { claimSpecWarnings } from './fractions.ts';
import { deprecatedLabel, labelSelectorWarnings, nodeTermWarnings } from './node-labels.ts';
import { podWarnings } from './pod-warnings.ts';
import { persistentVolumePlugin } from './volume-warnings.ts';

/** The effect of a write on an object. */
export interface Written {
  readonly body: JsonObject;
  /** The state before; undefined if the write creates the object. */
  readonly before?: JsonObject | undefined;
}

type Warnings = Iterable<string>;
type Rule = (written: Written) => Warnings;

/** The most warnings of one write. A response carries some 4,000 characters of them. */
const MOST_WARNINGS = 100;

const RULES: Readonly<Record<string, Rule>> = {
  Pod: ({ body, before }) => (before === undefined ? podWarnings('', body) : []),
  PodTemplate: (written) => templateWarnings('template', written, ({ template }) => template),
  ReplicationController: namedWorkload,
  'apiextensions.k8s.io/CustomResourceDefinition': ({ body }) => definition(body),
  'apps/Deployment': namedWorkload,
  'apps/ReplicaSet': namedWorkload,
  'apps/DaemonSet': workload,
  'apps/StatefulSet': statefulSet,
  'batch/Job': (written) => [...nameWarnings(written), ...jobWarnings('spec', written, specOf)],
  'batch/CronJob': cronJob,
  PersistentVolume: ({ body }) => persistentVolume(body),
  PersistentVolumeClaim: ({ body }) => persistentVolumeClaim(body),
  Node: ({ body }) => node(body),
  Secret: ({ body }) => secret(body),
  Service: ({ body }) => service(body),
  ServiceAccount: serviceAccount,
  Endpoints: ({ body }) => endpoints(body),
  'discovery.k8s.io/EndpointSlice': endpointSlice,
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/NetworkPolicy': ({ body }) => networkPolicy(body),
  'node.k8s.io/RuntimeClass': ({ body }) => runtimeClass(body),
  'storage.k8s.io/StorageClass': ({ body }) => storageClass(body),
  'storage.k8s.io/CSIStorageCapacity': ({ body }) => labelSelectorWarnings('nodeTopology', body.nodeTopology),
};

/**
 * Returns Kubernetes' warnings about an object that was written, at most 100.
 *
 * @param kind a kind of Kubernetes, with its group: `apps/Deployment`, `Pod`
 */
export function warningsOf(kind: string, written: Written): string[] {
  const rule = Object.hasOwn(RULES, kind) ? RULES[kind] : undefined;
  const warnings: string[] = [];
  for (const warning of rule?.(written) ?? []) {
    if (warnings.push(warning) === MOST_WARNINGS) break;
  }
  return warnings;
}

function* definition(body: JsonObject): Warnings {
  if (objectAt(specOf(body).conversion).strategy !== 'Webhook') return;
  yield 'spec.conversion: Winnow calls no conversion webhooks; it stores and serves objects in the storage version, and requests that need another version fail with 500';
}

function specOf({ spec }: JsonObject): JsonObject {
  return objectAt(spec);
}

/** Whether the write changed the `spec`, or created the object. Templates are judged only then. */
function changesSpec({ body, before }: Written): boolean {
  return before === undefined || metadataOf(body).generation !== metadataOf(before).generation;
}

function* templateWarnings(
  path: string,
  written: Written,
  templateOf: (body: JsonObject) => JsonValue | undefined,
): Warnings {
  if (changesSpec(written)) yield* podWarnings(path, objectAt(templateOf(written.body)));
}

function workload(written: Written): Warnings {
  return templateWarnings('spec.template', written, (body) => specOf(body).template);
}

function* namedWorkload(written: Written): Warnings {
  yield* nameWarnings(written);
  yield* workload(written);
}

function* nameWarnings({ body, before }: Written): Warnings {
  const errors = dns1123LabelErrors(textOf(metadataOf(body).name));
  if (before !== undefined || errors.length === 0) return;
  yield `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`;
}

function* statefulSet(written: Written): Warnings {
  yield* workload(written);
  const { volumeClaimTemplates, revisionHistoryLimit } = specOf(written.body);
  for (const [at, { spec }] of objectsOf(volumeClaimTemplates).entries()) {
    const path = index('spec.volumeClaimTemplates', at);
    // Kubernetes spells the path of an update in this way.
    yield* claimSpecWarnings(written.before === undefined ? path : child(path, 'Spec'), spec);
  }
  if (numberOf(revisionHistoryLimit) < 0) {
    yield 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  }
}

const MOST_COMPLETIONS = 100_000;
const MOST_PARALLELISM = 10_000;

function* jobWarnings(path: string, written: Written, jobSpecOf: (body: JsonObject) => JsonObject): Warnings {
  if (!changesSpec(written)) return;
  const { completionMode, completions, parallelism, template } = jobSpecOf(written.body);
  const isLarge = numberOf(completions) > MOST_COMPLETIONS && numberOf(parallelism) > MOST_PARALLELISM;
  if (completionMode === 'Indexed' && isLarge) {
    yield `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`;
  }
  yield* podWarnings(child(path, 'template'), objectAt(template));
}

function* cronJob(written: Written): Warnings {
  yield* nameWarnings(written);
  const jobSpecOf = (body: JsonObject) => specOf(objectAt(specOf(body).jobTemplate));
  yield* jobWarnings('spec.jobTemplate.spec', written, jobSpecOf);
  if (written.before !== undefined && textOf(specOf(written.body).schedule).includes('TZ')) {
    yield 'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
  }
}

const STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';
const STORAGE_CLASS_FIELD = 'deprecated since v1.8; use "storageClassName" attribute instead';
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';

function* annotated(body: JsonObject, name: string, message: string): Warnings {
  if (Object.hasOwn(objectAt(metadataOf(body).annotations), name)) {
    yield `${key('metadata.annotations', name)}: ${message}`;
  }
}

function* persistentVolume(body: JsonObject): Warnings {
  const spec = specOf(body);
  yield* annotated(body, STORAGE_CLASS, STORAGE_CLASS_FIELD);
  yield* annotated(body, MOUNT_OPTIONS, 'deprecated since v1.31; use "mountOptions" attribute instead');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  }
  const { required } = objectAt(spec.nodeAffinity);
  for (const [at, term] of objectsOf(objectAt(required).nodeSelectorTerms).entries()) {
    yield* nodeTermWarnings(index('spec.nodeAffinity.required.nodeSelectorTerms', at), term);
  }
  yield* persistentVolumePlugin(spec);
}

function* persistentVolumeClaim(body: JsonObject): Warnings {
  yield* annotated(body, STORAGE_CLASS, STORAGE_CLASS_FIELD);
  yield* claimSpecWarnings('spec', body.spec);
}

function* node(body: JsonObject): Warnings {
  const { configSource, externalID, podCIDRs } = specOf(body);
  if (configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if (textOf(externalID) !== '') {
    yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  }
  yield* rangesAt('spec.podCIDRs', podCIDRs);
}

function* rangesAt(path: string, ranges: JsonValue | undefined): Warnings {
  for (const [at, range] of textsOf(ranges).entries()) yield* rangeWarnings(index(path, at), range);
}

function* secret({ type, data }: JsonObject): Warnings {
  if (type !== 'kubernetes.io/tls') return;
  const certificate = Buffer.from(textOf(objectAt(data)['tls.crt']), 'base64').toString('latin1');
  if (!/-----BEGIN [^-]+-----/.test(certificate)) {
    yield 'tls: failed to find any PEM data in certificate input';
  }
}

const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints';

function* service(body: JsonObject): Warnings {
  const { type, clusterIP, clusterIPs, externalIPs, loadBalancerIP, loadBalancerSourceRanges, externalName } =
    specOf(body);
  if (Object.hasOwn(objectAt(metadataOf(body).annotations), TOPOLOGY_HINTS)) {
    yield `annotation ${TOPOLOGY_HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`;
  }
  if (textOf(clusterIP) !== '' && clusterIP !== 'None') yield* addressesAt('spec.clusterIPs', clusterIPs);
  yield* addressesAt('spec.externalIPs', externalIPs);
  if (textOf(loadBalancerIP) !== '') yield* addressWarnings('spec.loadBalancerIP', textOf(loadBalancerIP));
  yield* rangesAt('spec.loadBalancerSourceRanges', loadBalancerSourceRanges);
  if (type === 'ExternalName' && textsOf(externalIPs).length > 0) {
    yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  }
  if (type !== 'ExternalName' && textOf(externalName) !== '') {
    yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
  }
}

function* addressesAt(path: string, addresses: JsonValue | undefined): Warnings {
  for (const [at, address] of textsOf(addresses).entries()) yield* addressWarnings(index(path, at), address);
}

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

function* serviceAccount({ body, before }: Written): Warnings {
  const wasSet = before && Object.hasOwn(objectAt(metadataOf(before).annotations), MOUNTABLE_SECRETS);
  if (wasSet) return;
  const message = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  yield* annotated(body, MOUNTABLE_SECRETS, message);
}

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const SLICE_CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function* endpoints(body: JsonObject): Warnings {
  if (objectAt(metadataOf(body).labels)[MANAGED_BY] === 'endpoint-controller') return;
  for (const [at, subset] of objectsOf(body.subsets).entries()) {
    for (const field of ['addresses', 'notReadyAddresses']) {
      const path = child(index('subsets', at), field);
      for (const [own, { ip }] of objectsOf(subset[field]).entries()) {
        yield* addressWarnings(child(index(path, own), 'ip'), textOf(ip));
      }
    }
  }
}

function* endpointSlice({ body, before }: Written): Warnings {
  const { addressType } = body;
  if (before === undefined && addressType === 'FQDN') {
    yield 'spec.addressType: FQDN endpoints are deprecated';
  }
  const manager = textOf(objectAt(metadataOf(body).labels)[SLICE_MANAGED_BY]);
  if (addressType === 'FQDN' || SLICE_CONTROLLERS.includes(manager)) return;
  for (const [at, { addresses }] of objectsOf(body.endpoints).entries()) {
    yield* addressesAt(child(index('endpoints', at), 'addresses'), addresses);
  }
}

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

function* ingress({ body, before }: Written): Warnings {
  const isAnnotated = Object.hasOwn(objectAt(metadataOf(body).annotations), INGRESS_CLASS);
  if (before === undefined && isAnnotated && specOf(body).ingressClassName === undefined) {
    yield `annotation "${INGRESS_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`;
  }
}

function* networkPolicy(body: JsonObject): Warnings {
  const spec = specOf(body);
  for (const [field, peers] of Object.entries({ ingress: 'from', egress: 'to' })) {
    for (const [at, rule] of objectsOf(spec[field]).entries()) {
      for (const [own, { ipBlock }] of objectsOf(rule[peers]).entries()) {
        if (ipBlock === undefined) continue;
        const path = `spec.${field}[${at}].${peers}[${own}].ipBlock`;
        const { cidr, except } = objectAt(ipBlock);
        yield* rangeWarnings(child(path, 'cidr'), textOf(cidr));
        yield* rangesAt(child(path, 'except'), except);
      }
    }
  }
}

function* runtimeClass({ scheduling }: JsonObject): Warnings {
  const labels = Object.keys(objectAt(objectAt(scheduling).nodeSelector));
  for (const label of labels) yield* deprecatedLabel('scheduling.nodeSelector', label);
}

function* storageClass({ allowedTopologies }: JsonObject): Warnings {
  for (const [at, { matchLabelExpressions }] of objectsOf(allowedTopologies).entries()) {
    for (const [own, expression] of objectsOf(matchLabelExpressions).entries()) {
      const path = `allowedTopologies[${at}].matchLabelExpressions[${own}].key`;
      yield* deprecatedLabel(path, textOf(expression.key));
    }
  }
}
