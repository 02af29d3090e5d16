import {
  type Collection,
  isJsonObject,
  type JsonObject,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { DUE_SHARDS, duePartition, type Row } from '../../../lib/store/index.ts';
import { PODS } from '../actors/pods.ts';
import { SERVICES } from '../actors/targets.ts';
import type { Violation } from '../checks/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { EPOCH } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import {
  ENDPOINTS,
  endOf,
  LEASE,
  LEASES,
  MANAGED_BY,
  NODES,
  SERVICE_NAME,
  SLICES,
  SOMEBODY,
  ZONE,
} from './served-objects.ts';

/** The objects that exist when all is quiet, and that time, in ms since the run began. */
interface Left {
  readonly services: readonly JsonObject[];
  readonly pods: readonly JsonObject[];
  readonly nodes: readonly JsonObject[];
  readonly leases: readonly JsonObject[];
  readonly slices: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
  readonly now: number;
}

/**
 * Checks endpoints when all is quiet:
 * 1. Slices and Endpoints equal those that a naive pass over the pods' rows gives.
 * 2. No pod is ready whose Lease has expired.
 * 3. No pod keeps the reason LeaseExpired while its Lease holds.
 * 4. No work item is due.
 */
export function keptEndpoints(world: World, { registrars }: Pick<Scenario, 'registrars'>): Violation[] {
  if (registrars === undefined) return [];
  const bodiesOf = (collection: Collection) =>
    world.table.rows.partition(`object#${collection}`).map(({ body }) => decodeBody(body));
  const left: Left = {
    services: bodiesOf(SERVICES),
    pods: bodiesOf(PODS),
    nodes: bodiesOf(NODES),
    leases: bodiesOf(LEASES),
    slices: bodiesOf(SLICES),
    endpoints: bodiesOf(ENDPOINTS),
    now: world.scheduler.now,
  };
  const uids = new Set(left.services.map((service) => metadataOf(service).uid));
  const orphans = [...left.slices.filter((slice) => !isForeign(slice)), ...left.endpoints].filter(
    (one) => !uids.has(ownerOf(one)),
  );
  return [
    ...violation(
      'slices are not what there is',
      left.services.flatMap((one) => differences(one, slicesOf(one, left), inSlices(one, left))),
    ),
    ...violation(
      'Endpoints are not what there is',
      left.services.flatMap((one) => differences(one, endpointsOf(one, left), inEndpoints(one, left))),
    ),
    ...violation('endpoints are left of a Service that is gone', orphans.map(nameOf)),
    ...violation(
      'a pod is not what its Lease says',
      left.pods.filter((pod) => isMisled(pod, left)).map(told),
    ),
    ...violation(
      'something is due though all is quiet',
      dueIn(world).map((row) => JSON.stringify(row)),
    ),
  ];
}

function differences(service: JsonObject, are: readonly string[], should: readonly string[]): string[] {
  const [is, wanted] = [are.toSorted().join(), should.toSorted().join()];
  return is === wanted ? [] : [`${nameOf(service)}: ${is}, and not ${wanted}`];
}

/** Each endpoint in the slices of a Service. */
function slicesOf(service: JsonObject, { slices }: Left): string[] {
  return slices
    .filter((slice) => ownerOf(slice) === metadataOf(service).uid)
    .flatMap(({ endpoints, ports }) =>
      objectsIn(endpoints).map(({ addresses, conditions, zone }) => {
        const { ready, serving, terminating } = objectAt(conditions);
        return [addresses, objectsIn(ports)[0]?.port, ready, serving, terminating, zone].join(' ');
      }),
    );
}

/** The same, computed naively from the pods. */
function inSlices(service: JsonObject, left: Left): string[] {
  const { publishNotReadyAddresses } = objectAt(service.spec);
  return servedBy(service, left).map((pod) => {
    const serving = readyOf(pod)?.status === 'True';
    const isEnding = metadataOf(pod).deletionTimestamp !== undefined;
    const ready = publishNotReadyAddresses === true || (serving && !isEnding);
    const { podIP } = objectAt(pod.status);
    return [podIP, portOf(pod), ready, serving, isEnding, zoneOf(pod, left)].join(' ');
  });
}

/** Each address in the Endpoints of a Service. */
function endpointsOf(service: JsonObject, { endpoints }: Left): string[] {
  return endpoints
    .filter((one) => nameOf(one) === nameOf(service))
    .flatMap(({ subsets }) => objectsIn(subsets))
    .flatMap(({ addresses, notReadyAddresses, ports }) => {
      const [port] = objectsIn(ports);
      return [
        ...objectsIn(addresses).map(({ ip }) => `${ip} ${port?.port} true`),
        ...objectsIn(notReadyAddresses).map(({ ip }) => `${ip} ${port?.port} false`),
      ];
    });
}

/**
 * The same, computed naively from the pods. Terminating pods are left out, unless the Service publishes addresses that
 * are not ready.
 */
function inEndpoints(service: JsonObject, left: Left): string[] {
  const { publishNotReadyAddresses } = objectAt(service.spec);
  return servedBy(service, left)
    .filter((pod) => publishNotReadyAddresses === true || metadataOf(pod).deletionTimestamp === undefined)
    .map((pod) => {
      const ready = publishNotReadyAddresses === true || readyOf(pod)?.status === 'True';
      return `${objectAt(pod.status).podIP} ${portOf(pod)} ${ready}`;
    });
}

/** The pods of a Service, matched label by label. None if a foreign writer has slices for the Service. */
function servedBy(service: JsonObject, { pods, slices }: Left): readonly JsonObject[] {
  const isMirrored = slices.some(
    (slice) => isForeign(slice) && labelOf(slice, SERVICE_NAME) === nameOf(service),
  );
  if (isMirrored) return [];
  const wanted = Object.entries(objectAt(objectAt(service.spec).selector));
  return pods.filter(
    (pod) =>
      objectAt(pod.status).phase !== 'Failed' && wanted.every(([key, value]) => labelOf(pod, key) === value),
  );
}

/** Whether a pod is ready although its Lease has expired, or still marked expired although its Lease holds. */
function isMisled(pod: JsonObject, { leases, now }: Left): boolean {
  const named = labelOf(pod, LEASE);
  if (named === undefined) return false;
  const holds = endOf(leases.find((lease) => nameOf(lease) === named)) > now;
  const ready = readyOf(pod);
  return holds ? ready?.reason === 'LeaseExpired' : ready?.status === 'True';
}

function dueIn({ table, scheduler }: World): Row[] {
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shard);
  return shards
    .flatMap((shard) => table.rows.partition(duePartition(shard)))
    .filter(({ time }) => time === undefined || Number(time) - EPOCH <= scheduler.now);
}

const isForeign = (slice: JsonObject) => labelOf(slice, MANAGED_BY) === SOMEBODY;
const labelOf = (object: JsonObject, key: string) => objectAt(metadataOf(object).labels)[key];
const nameOf = (object: JsonObject) => String(metadataOf(object).name);
const ownerOf = (object: JsonObject) => objectsIn(metadataOf(object).ownerReferences)[0]?.uid;
const told = (pod: JsonObject) => `${nameOf(pod)}: ${JSON.stringify(pod.status)}`;

function zoneOf({ spec }: JsonObject, { nodes }: Left) {
  const node = nodes.find((one) => nameOf(one) === objectAt(spec).nodeName);
  return node && labelOf(node, ZONE);
}

function readyOf({ status }: JsonObject): JsonObject | undefined {
  return objectsIn(objectAt(status).conditions).find(({ type }) => type === 'Ready');
}

function portOf({ spec }: JsonObject) {
  const [container = {}] = objectsIn(objectAt(spec).containers);
  return objectsIn(container.ports)[0]?.containerPort;
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'served', message, evidence: evidence.slice(0, 5) }];
}
