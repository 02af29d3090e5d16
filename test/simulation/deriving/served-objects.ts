import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { EPOCH } from '../world/clock.ts';

export const NAMESPACE = 'default';
export const NODES: Collection = 'core/nodes';
export const ENDPOINTS: Collection = 'core/endpoints';
export const SLICES: Collection = 'discovery.k8s.io/endpointslices';
export const LEASES: Collection = 'coordination.k8s.io/leases';
export const ZONE = 'topology.kubernetes.io/zone';
export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const LEASE = 'winnow.dev/lease';
/** The manager of slices that Winnow does not derive. */
export const SOMEBODY = 'somebody.example';

interface Named {
  readonly name: string;
  readonly uid: string;
}

export interface ServedPod extends Named {
  readonly labels: Readonly<Record<string, string>>;
  readonly node: string | undefined;
  /** The number of the port that Services request by name. */
  readonly port: number;
  readonly status: JsonObject;
}

/** A pod as kube-apiserver stores it, with the fields that endpoints need. */
export function podOf({ name, uid, labels, node, port, status }: ServedPod): JsonObject {
  const containers = [
    { name: 'c', image: 'i', ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }] },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...within(name, uid), labels: { ...labels } },
    spec: { containers, ...(node !== undefined && { nodeName: node }) },
    status,
  };
}

/** The status that the runner of a pod writes. */
export function statusOf(
  ip: string,
  { phase, ready }: { readonly phase: string; readonly ready: boolean },
): JsonObject {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return { phase, podIP: ip, podIPs: [{ ip }], conditions };
}

/** A pod that is being deleted, and that a finalizer keeps. */
export function terminating(body: JsonObject): JsonObject {
  const gone = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['serving.example/held'] };
  return { ...body, metadata: { ...metadataOf(body), ...gone } };
}

export function serviceOf(named: Named, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: within(named.name, named.uid),
    spec: {
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilies: ['IPv4'],
      ports: [{ name: 'web', protocol: 'TCP', port: 80, targetPort: 'http' }],
      ...spec,
    },
  };
}

export function nodeOf({ name, uid }: Named, zone: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid, labels: { [ZONE]: zone } }, spec: {} };
}

/** A Lease. `now`: in ms since the run began. */
export function leaseOf({ name, uid }: Named, now: number, seconds: number): JsonObject {
  const renewTime = new Date(EPOCH + now).toISOString().replace('Z', '000Z');
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: within(name, uid),
    spec: { holderIdentity: 'registrar', renewTime, leaseDurationSeconds: seconds },
  };
}

/** A slice that a foreign manager writes for a Service. */
export function foreignSlice({ name, uid }: Named, service: string): JsonObject {
  const labels = { [SERVICE_NAME]: service, [MANAGED_BY]: SOMEBODY };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...within(name, uid), labels, managedFields: [writtenBy(SOMEBODY)] },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'] }],
    ports: [],
  };
}

/** A derived slice after an edit by a foreign manager. */
export function spoilt(slice: JsonObject): JsonObject {
  const { managedFields } = metadataOf(slice);
  const managers = [...(Array.isArray(managedFields) ? managedFields : []), writtenBy(SOMEBODY)];
  const metadata = { ...metadataOf(slice), managedFields: managers };
  return { ...slice, metadata, endpoints: [{ addresses: ['192.0.2.2'], conditions: { ready: true } }] };
}

/** The end of a Lease, in ms since the run began; 0 without a Lease. */
export function endOf(lease: JsonObject | undefined): number {
  if (lease === undefined) return 0;
  const { renewTime, leaseDurationSeconds } = objectAt(lease.spec);
  return Date.parse(String(renewTime)) - EPOCH + Number(leaseDurationSeconds) * 1_000;
}

function within(name: string, uid: string): JsonObject {
  return { namespace: NAMESPACE, name, uid };
}

function writtenBy(manager: string): JsonObject {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:endpoints': {} },
  };
}
