import {
  type Collection,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
} from '../../../json/index.ts';
import { child, notFound } from '../../../kubernetes/field-errors/index.ts';
import {
  type ContainerPort,
  type End,
  isSameAddress,
  type PodEnd,
  type Protocol,
} from '../../../kubernetes/reachability/index.ts';
import { everything, type FieldError, type Labels } from '../../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../../store/index.ts';
import { readNamespace } from '../../objects/index.ts';
import type { AskedEnd } from './read-question.ts';

const PODS: Collection = 'core/pods';
const SERVICES: Collection = 'core/services';
const PAGE = 500;

/** The current state of an end. Returns undefined and adds to `errors` if it does not exist. */
export async function lookUpEnd(
  store: Store,
  asked: AskedEnd,
  errors: FieldError[],
): Promise<End | undefined> {
  if ('ip' in asked) return { address: asked.ip, ...(await serviceAt(store, asked.ip)) };
  const { path, namespace } = asked;
  const [place, pod] = await Promise.all([
    readNamespace(store, namespace),
    'name' in asked ? store.get(PODS, { namespace, name: asked.name }) : undefined,
  ]);
  if (place === undefined) {
    errors.push(notFound(child(path, 'namespace'), namespace));
    return undefined;
  }
  if ('labels' in asked) {
    return { ...UNKNOWN, namespace, namespaceLabels: place.labels, labels: asked.labels };
  }
  if (pod === undefined) {
    errors.push(notFound(child(path, 'name'), asked.name));
    return undefined;
  }
  return podEnd(pod, place.labels);
}

/** The unknown fields of a pod of which only the labels are given. */
const UNKNOWN = { addresses: [], nodeAddresses: [], hostNetwork: false, ports: [] } as const;

function podEnd({ name, labels, body }: ObjectState, namespaceLabels: Labels): PodEnd {
  const [spec, status] = [objectAt(body.spec), objectAt(body.status)];
  return {
    ...name,
    labels,
    namespaceLabels,
    addresses: addressesAt(status.podIPs, status.podIP),
    nodeAddresses: addressesAt(status.hostIPs, status.hostIP),
    hostNetwork: spec.hostNetwork === true,
    ports: portsOf(spec),
  };
}

function addressesAt(all: JsonValue | undefined, first: JsonValue | undefined): string[] {
  const listed = objectsOf(all).flatMap(({ ip }) => (typeof ip === 'string' ? [ip] : []));
  return listed.length === 0 && typeof first === 'string' ? [first] : listed;
}

/** The ports of the containers and of the sidecars: init containers that always restart. */
function portsOf({ containers, initContainers }: JsonObject): ContainerPort[] {
  const sidecars = objectsOf(initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...objectsOf(containers), ...sidecars].flatMap(({ ports }) =>
    objectsOf(ports).map(({ name, containerPort, protocol }) => ({
      name: String(name ?? ''),
      port: Number(containerPort),
      protocol: (protocol ?? 'TCP') as Protocol,
    })),
  );
}

/** The Service that an address belongs to. No index has addresses, so this reads all Services. */
async function serviceAt(store: Store, address: string): Promise<{ service?: string }> {
  const matches = ({ body }: ObjectState) =>
    serviceAddresses(body).some((one) => isSameAddress(one, address));
  for await (const { items } of eachPage(store, SERVICES, { selector: everything, matches, limit: PAGE })) {
    const [found] = items;
    if (found !== undefined) return { service: `${found.name.namespace}/${found.name.name}` };
  }
  return {};
}

function serviceAddresses({ spec, status }: JsonObject): string[] {
  const { clusterIP, clusterIPs, externalIPs, loadBalancerIP } = objectAt(spec);
  const { ingress } = objectAt(objectAt(status).loadBalancer);
  const balanced = objectsOf(ingress).map(({ ip }) => ip);
  const all = [clusterIP, loadBalancerIP, clusterIPs ?? [], externalIPs ?? [], balanced].flat();
  return all.filter((one) => typeof one === 'string');
}

const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
