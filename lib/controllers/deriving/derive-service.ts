import type { Derived, WorkKey } from '../../coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';
import {
  type Changes,
  deriveEndpoints,
  type EndpointSlice,
  type Endpoints,
  type Known,
  type Node,
  type Pod,
  type Service,
} from '../../kubernetes/endpoints/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { everything, fromLabels } from '../../selectors/index.ts';
import { type ObjectState, type Store, toObject } from '../../store/index.ts';
import { type Choice, chosenIn } from './choice.ts';
import { Reading } from './reading.ts';
import { ENDPOINTS, NODES, PODS, SERVICES, SLICES } from './workloads.ts';

/** Writes objects that are wholly derived. Each method rejects where the write failed. */
export interface EndpointsWriter {
  /** Creates an object. Returns false where its name is taken. */
  create(collection: Collection, object: JsonObject): Promise<boolean>;
  replace(collection: Collection, object: JsonObject): Promise<void>;
  remove(collection: Collection, object: JsonObject): Promise<void>;
}

/** The options of deriving endpoints. */
export interface DerivingEndpointsOptions {
  readonly store: Store;
  readonly objects: EndpointsWriter;
  readonly choice: Choice;
}

const MOST_TAKEN = 100;

/**
 * Writes the EndpointSlices and Endpoints that a Service should have. Writes nothing where they are already right,
 * where the namespace wants none or is being deleted, and where another writer owns them. The objects of a deleted
 * Service are collected by their owner references.
 *
 * @param taken names of slices that other objects have
 */
export async function deriveService(
  options: DerivingEndpointsOptions,
  subject: WorkKey,
  taken: readonly string[] = [],
): Promise<Derived> {
  const { store, choice } = options;
  const { name } = subject;
  const reading = new Reading(store);
  const service = await reading.one(SERVICES, name);
  if (service === undefined) return { seen: reading.seen };
  const namespace = await reading.one(NAMESPACES, { namespace: '', name: name.namespace });
  const isWanted = chosenIn(namespace?.labels ?? {}, choice).has('endpointslices');
  if (!isWanted || metadataOf(namespace?.body ?? {}).deletionTimestamp) return { seen: reading.seen };
  const { slices, endpoints } = deriveEndpoints({ ...(await read(reading, service)), taken });
  await writeAll(options.objects, ENDPOINTS, endpoints);
  const refused = await writeAll(options.objects, SLICES, slices);
  if (refused.length === 0) return { seen: reading.seen };
  if (taken.length > MOST_TAKEN) {
    throw new Error(`found no free names for the EndpointSlices of Service ${name.namespace}/${name.name}`);
  }
  return deriveService(options, subject, [...taken, ...refused]);
}

async function read(reading: Reading, service: ObjectState): Promise<Known> {
  const { namespace, name } = service.name;
  const told = toObject(service) as unknown as Service;
  const selector = told.spec?.selector ?? {};
  const pods =
    Object.keys(selector).length > 0
      ? await reading.all(PODS, { namespace, selector: fromLabels(selector) }, podOf)
      : [];
  const isPlaced = pods.some(({ spec }) => spec?.nodeName);
  const nodes = isPlaced ? await reading.all(NODES, { selector: everything }, nodeOf) : [];
  const named = fromLabels({ 'kubernetes.io/service-name': name });
  const all = await reading.all(SLICES, { namespace, selector: named }, toObject);
  // A slice that a finalizer holds is being deleted. As in upstream's controller, no endpoints are added to it.
  const slices = all.filter((slice) => metadataOf(slice).deletionTimestamp === undefined);
  const endpoints = await reading.one(ENDPOINTS, service.name);
  return {
    service: told,
    pods,
    nodes: new Map(nodes.map((node) => [node.metadata.name, node])),
    slices: slices as unknown as readonly EndpointSlice[],
    endpoints: endpoints && (toObject(endpoints) as unknown as Endpoints),
  };
}

/** Writes the changes. Returns the names that were meant for new objects and are taken. */
async function writeAll(
  writer: EndpointsWriter,
  collection: Collection,
  { create, update, delete: gone }: Changes<EndpointSlice | Endpoints>,
): Promise<string[]> {
  const refused: string[] = [];
  for (const object of create) {
    if (!(await writer.create(collection, jsonOf(object)))) refused.push(object.metadata.name);
  }
  for (const object of update) await writer.replace(collection, jsonOf(object));
  for (const object of gone) await writer.remove(collection, jsonOf(object));
  return refused;
}

function jsonOf(object: EndpointSlice | Endpoints): JsonObject {
  return object as unknown as JsonObject;
}

/** The part of a pod that this derivation uses. It keeps no other fields, because there may be thousands of pods. */
function podOf({ body }: ObjectState): Pod {
  const { metadata, spec, status } = body as unknown as Pod;
  const { name, namespace, uid, deletionTimestamp } = metadata;
  const portsOf = ({ restartPolicy, ports }: Container) => ({
    restartPolicy: restartPolicy ?? null,
    ports: ports ?? [],
  });
  return {
    metadata: Object.assign(
      { name, namespace, deletionTimestamp: deletionTimestamp ?? null },
      uid && { uid },
    ),
    spec: {
      nodeName: spec?.nodeName ?? null,
      hostname: spec?.hostname ?? null,
      subdomain: spec?.subdomain ?? null,
      containers: (spec?.containers ?? []).map(portsOf),
      initContainers: (spec?.initContainers ?? []).map(portsOf),
    },
    status: {
      phase: status?.phase ?? null,
      podIP: status?.podIP ?? null,
      podIPs: status?.podIPs ?? null,
      conditions: (status?.conditions ?? []).filter(({ type }) => type === 'Ready'),
    },
  };
}

type Container = NonNullable<NonNullable<NonNullable<Pod['spec']>['containers']>>[number];

const nodeOf = ({ name, labels }: ObjectState): Node => ({ metadata: { name: name.name, labels } });
