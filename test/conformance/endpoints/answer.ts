import {
  type Changes,
  type DerivedEndpoints,
  deriveEndpoints,
  type EndpointSlice,
  type Endpoints,
} from '../../../lib/kubernetes/endpoints/index.ts';
import type { Question } from './worlds.ts';

/** The written objects, and the names of the deleted ones. */
export interface Answer {
  readonly slices: Written<EndpointSlice>;
  readonly endpoints: Written<Endpoints>;
}

interface Written<Kind> {
  readonly create: readonly Kind[];
  readonly update: readonly Kind[];
  readonly delete: readonly string[];
}

export function derived({
  service,
  pods,
  nodes,
  slices,
  endpoints,
  mostInSlice,
}: Question): DerivedEndpoints {
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
  return deriveEndpoints({ service, pods, nodes: byName, slices, endpoints, mostInSlice });
}

export function answerOf({ slices, endpoints }: DerivedEndpoints, question: Question): Answer {
  return comparable({ slices: withNames(slices), endpoints: withNames(endpoints) }, question);
}

function withNames<Kind extends EndpointSlice | Endpoints>({ create, update, delete: gone }: Changes<Kind>) {
  return { create, update, delete: gone.map(({ metadata }) => metadata.name) };
}

/**
 * An answer without the parts that are not compared:
 * - the names of new slices, resourceVersions, and the order of writes;
 * - the order of subsets in Endpoints and of their ports, which Kubernetes derives from hashes;
 * - the owner of Endpoints, which Kubernetes does not set.
 *
 * An update of Endpoints that changes nothing else is left out.
 */
export function comparable({ slices, endpoints }: Answer, before: Question | undefined): Answer {
  const same = before?.endpoints && keyOf(endpointsOf(before.endpoints));
  return JSON.parse(
    JSON.stringify({
      slices: {
        create: inOrder(slices.create.map((slice) => sliceOf(slice, { isNew: true }))),
        update: inOrder(slices.update.map((slice) => sliceOf(slice, { isNew: false }))),
        delete: slices.delete.toSorted(),
      },
      endpoints: {
        create: endpoints.create.map(endpointsOf),
        update: endpoints.update.map(endpointsOf).filter((one) => keyOf(one) !== same),
        delete: endpoints.delete,
      },
    }),
  );
}

function sliceOf({ metadata, addressType, ports, endpoints }: EndpointSlice, { isNew }: { isNew: boolean }) {
  const { name, namespace, labels, ownerReferences, annotations } = metadata;
  const own = {
    name: isNew ? 'new' : name,
    namespace,
    labels,
    ownerReferences,
    annotations: annotations ?? {},
  };
  return { metadata: own, addressType, ports: ports ?? [], endpoints: endpoints ?? [] };
}

function endpointsOf({ metadata: { name, labels, annotations }, subsets }: Endpoints) {
  const all = (subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => ({
    addresses: addresses?.map(addressOf),
    notReadyAddresses: notReadyAddresses?.map(addressOf),
    ports: inOrder(ports ?? []),
  }));
  return { metadata: { name, labels, annotations: annotations ?? {} }, subsets: inOrder(all) };
}

/** In Kubernetes' answer, a pod without a node has an empty one. */
function addressOf({ nodeName, ...address }: { readonly nodeName?: string | null }) {
  return nodeName ? { ...address, nodeName } : address;
}

/** Sorts objects, whatever the order of their fields. */
function inOrder<T>(all: readonly T[]): T[] {
  return all.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted())
      : part,
  );
}
