import {
  type JsonObject,
  type JsonValue,
  jsonEquals,
  metadataOf,
  objectAt,
  objectsIn,
} from '../../json/index.ts';
import { isMirrorPod, MIRROR_ANNOTATION, usedByPod } from '../pods/index.ts';
import { commonNameOf } from './common-name.ts';
import { isForbiddenLabel } from './node-labels.ts';

/**
 * The limits on what a node may write. Each function returns the reason for a refusal, or undefined.
 *
 * @see k8s.io/kubernetes/plugin/pkg/admission/noderestriction
 */

const LEASE_NAMESPACE = 'kube-node-lease';
const NODE_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** An object before and after a write. `before` is undefined for a create, and `after` for a delete. */
export interface NodeWrite {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Whether the pod runs on the node. */
export function isOnNode(pod: JsonObject, node: string): boolean {
  return objectAt(pod.spec).nodeName === node;
}

/**
 * Checks that a new pod is a mirror pod of the node, owned by the node's object, and that it names no objects that the
 * node could then reach. Claims of ephemeral volumes are not checked: a mirror pod gives its node no access to them.
 *
 * @param nodeUid the uid of the node's object; undefined if there is none, which the caller reports
 */
export function podCreationFault(
  node: string,
  pod: JsonObject,
  nodeUid: string | undefined,
): string | undefined {
  const quoted = JSON.stringify(node);
  const spec = objectAt(pod.spec);
  if (!isMirrorPod(pod)) {
    return `pod does not have "${MIRROR_ANNOTATION}" annotation, node ${quoted} can only create mirror pods`;
  }
  if (!isOnNode(pod, node)) return `node ${quoted} can only create pods with spec.nodeName set to itself`;
  const ownership = ownerFault(node, objectsIn(metadataOf(pod).ownerReferences), nodeUid);
  if (ownership !== undefined) return ownership;
  const may = `node ${quoted} can not create pods that reference`;
  const { configmap, secret, serviceaccount } = usedByPod(pod);
  if (serviceaccount.size > 0) return `${may} a service account`;
  if (secret.size > 0) return `${may} secrets`;
  if (configmap.size > 0) return `${may} configmaps`;
  const volumes = objectsIn(spec.volumes);
  const sources = volumes.flatMap(({ projected }) => objectsIn(objectAt(projected).sources));
  if (sources.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined)) {
    return `${may} clustertrustbundles`;
  }
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)) {
    return `${may} persistentvolumeclaims`;
  }
  return objectsIn(spec.resourceClaims).length > 0 ? `${may} resourceclaims` : undefined;
}

function ownerFault(
  node: string,
  owners: readonly JsonObject[],
  nodeUid: string | undefined,
): string | undefined {
  const quoted = JSON.stringify(node);
  const only = `node ${quoted} can only create pods with`;
  const [owner] = owners;
  if (owners.length > 1) return `${only} a single owner reference set to itself`;
  if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${only} an owner reference set to itself`;
  }
  if (owner.controller !== true) return `${only} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) {
    return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  }
  return nodeUid === undefined || owner.uid === nodeUid
    ? undefined
    : `node ${node} UID mismatch: expected ${owner.uid} got ${nodeUid}`;
}

/** Checks that a write of a pod's status keeps labels and claims, and that the pod is on the node. */
export function podStatusFault({ node, before = {}, after = {} }: NodeWrite): string | undefined {
  const quoted = JSON.stringify(node);
  if (!isOnNode(before, node)) {
    return `node ${quoted} can only update pod status for pods with spec.nodeName set to itself`;
  }
  if (!isSame(metadataOf(before).labels, metadataOf(after).labels)) {
    return `node ${quoted} cannot update labels through pod status`;
  }
  const claims = ({ status }: JsonObject) =>
    objectsIn(objectAt(status).resourceClaimStatuses).map(({ name = '', resourceClaimName = null }) => [
      name,
      resourceClaimName,
    ]);
  return jsonEquals(claims(before), claims(after))
    ? undefined
    : `node ${quoted} cannot update resource claim statues`;
}

/** The fields of a claim's status that a node writes. */
const CLAIM_STATUS = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

/** Checks that a write of a claim's status changes only the fields that a node may write. */
export function claimStatusFault({ node, before = {}, after = {} }: NodeWrite): string | undefined {
  const rest = (claim: JsonObject): JsonObject => {
    const { managedFields: _managers, resourceVersion: _version, ...metadata } = metadataOf(claim);
    const status = Object.entries(objectAt(claim.status)).filter(([field]) => !CLAIM_STATUS.includes(field));
    return { ...claim, metadata, status: Object.fromEntries(status) };
  };
  return jsonEquals(rest(before), rest(after))
    ? undefined
    : `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

/**
 * Checks a write of a Node: only the node's own, without taints, and with no labels that steer workloads to it. A write
 * of the status is not checked for taints: the caller's are ignored there, and Winnow adapts them to the status.
 */
export function nodeFault({ node, name, before, after }: NodeWrite, subresource: string): string | undefined {
  const quoted = JSON.stringify(node);
  if (name !== node) return `node ${quoted} is not allowed to modify node ${JSON.stringify(name)}`;
  if (after === undefined) return undefined;
  const [old, spec] = [objectAt(before?.spec), objectAt(after.spec)];
  const { configSource } = spec;
  const configures = configSource !== undefined && !jsonEquals(configSource, old.configSource ?? null);
  const labels = changedKeys(objectAt(metadataOf(after).labels), objectAt(metadataOf(before ?? {}).labels))
    .filter(isForbiddenLabel)
    .join(', ');
  if (before === undefined) {
    if (configures) return `node ${quoted} is not allowed to create pods with a non-nil configSource`;
    return labels === '' ? undefined : `node ${quoted} is not allowed to set the following labels: ${labels}`;
  }
  if (configures) return `node ${quoted} is not allowed to update configSource to a new non-nil configSource`;
  const keepsTaints = subresource === 'status' || isSame(spec.taints, old.taints);
  if (!keepsTaints) return `node ${quoted} is not allowed to modify taints`;
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
}

/** Checks that a node writes only its own Lease. */
export function leaseFault({ node, namespace, name }: NodeWrite): string | undefined {
  if (namespace !== LEASE_NAMESPACE) {
    return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
  }
  return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
}

/** Checks that a node writes only its own CSINode. */
export function csiNodeFault({ node, name }: NodeWrite): string | undefined {
  return name === node ? undefined : 'can only access CSINode with the same name as the requesting node';
}

/** Checks that a certificate which a node requests for nodes is for itself. */
export function certificateFault({ node, before, after }: NodeWrite): string | undefined {
  const { signerName, request } = objectAt(after?.spec);
  const isCreate = before === undefined && after !== undefined;
  if (!isCreate || !NODE_SIGNERS.includes(String(signerName))) return undefined;
  const user = `system:node:${node}`;
  const name = commonNameOf(Buffer.from(String(request ?? ''), 'base64').toString());
  if (name === undefined) return 'unable to parse csr: it has no subject that can be read';
  return name === user ? undefined : `can only create a node CSR with CN=${user}`;
}

/** The keys whose values differ, sorted. */
function changedKeys(one: JsonObject, other: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => one[key] !== other[key]).sort();
}

/** Whether two values are equal. As in Kubernetes, an absent value equals an empty one. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return jsonEquals(present(one), present(other));
}

function present(value: JsonValue | undefined): JsonValue {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? null : (value ?? null);
}
