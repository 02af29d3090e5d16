import { isDeepStrictEqual } from 'node:util';
import type { DerivingStore, WorkKey, WorkRequest } from '../../coordination/index.ts';
import { type Collection, type JsonValue, metadataOf, objectAt, valueAt } from '../../json/index.ts';
import { carriedBy } from '../../kubernetes/carriers/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { What } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import type { JournalChange, ObjectState, Store } from '../../store/index.ts';
import { type Choice, chosenIn, DERIVED_LABEL, mayDerive } from './choice.ts';
import { LEASES, leasesOfPods, movedLeases } from './leases.ts';
import { isOwnObject, isOwnWrite } from './managers.ts';
import { roundOf } from './rounds.ts';
import {
  DAEMON_SETS,
  DEPLOYMENTS,
  ENDPOINTS,
  NODES,
  PODS,
  REPLICA_SETS,
  SERVICES,
  SLICES,
  SUBJECTS,
  WORKLOADS,
} from './workloads.ts';

/** The most selectors that one lookup may find: far more than a sensible deployment has. */
const MOST = 1_000_000;
const ZONE = 'topology.kubernetes.io/zone';
const SERVICE_NAME = 'kubernetes.io/service-name';

/** Returns the work items for objects whose derived data may change after changes of one collection. */
export async function concernedBy(
  outside: DerivingStore,
  { choice, collection, changes }: Changes,
): Promise<readonly WorkRequest[]> {
  const owe = (subject: WorkKey, { rv }: JournalChange): WorkRequest => ({ subject, collection, rv });
  const oweOwn = (all: readonly JournalChange[]) =>
    all
      .filter((change) => change.type !== 'DELETED' && !isOwnWrite(change))
      .map((change) => owe({ collection, name: change.name }, change));
  let choices: ReturnType<typeof choicesOf> | undefined;
  const where = async (what: What) => {
    choices ??= choicesOf(outside.store, choice);
    const chosen = await choices;
    return changes.filter(({ name }) => chosen(name.namespace).has(what));
  };
  switch (collection) {
    case NAMESPACES:
      return changes.filter(isOfChoice).map((change) => owe(roundOf(undefined, change.name.name), change));
    case NODES:
      return [
        ...(mayDerive(choice, 'status') ? changes.filter(movesDaemons) : []).map((change) =>
          owe(roundOf(DAEMON_SETS), change),
        ),
        ...(mayDerive(choice, 'endpointslices') ? changes.filter(movesZones) : []).map((change) =>
          owe(roundOf(SERVICES), change),
        ),
      ];
    case PODS: {
      const counted = await carriersOf(outside.store, (await where('status')).filter(isCounted), {
        collection,
        among: WORKLOADS,
      });
      const served = await where('endpointslices');
      const among = new Set([SERVICES]);
      return [
        ...counted,
        ...(await carriersOf(outside.store, served.filter(isServed), { collection, among })),
        ...leasesOfPods(collection, await where('leases')),
      ];
    }
    case LEASES:
      return movedLeases(await where('leases'), outside.clock.now());
    case SERVICES:
      return oweOwn(await where('endpointslices'));
    case ENDPOINTS:
    case SLICES: {
      const served = await where('endpointslices');
      return served.filter(isByOthers).flatMap((change) => servicesOf(change).map((one) => owe(one, change)));
    }
    default: {
      const told = await where('status');
      const own = oweOwn(told);
      if (collection !== REPLICA_SETS) return own;
      const above = await carriersOf(outside.store, told, { collection, among: new Set([DEPLOYMENTS]) });
      return [...own, ...above];
    }
  }
}

export interface Changes {
  readonly choice: Choice;
  readonly collection: Collection;
  readonly changes: readonly JournalChange[];
}

/**
 * Returns the data to derive in each namespace. Only if the deployment leaves the choice to the namespaces, this reads
 * their labels. Otherwise a later step reads the labels, and skips the data that a namespace excludes.
 */
async function choicesOf(store: Store, choice: Choice): Promise<(namespace: string) => Choice> {
  if (choice.size > 0) return () => choice;
  const all = (await store.snapshot([NAMESPACES])).get(NAMESPACES) ?? [];
  const own = new Map(all.map(({ name, labels }) => [name.name, chosenIn(labels, choice)]));
  return (namespace) => own.get(namespace) ?? choice;
}

interface Among {
  readonly collection: Collection;
  /** The collections of carriers that count. */
  readonly among: ReadonlySet<Collection>;
}

/**
 * Work requests for the carriers whose `spec.selector` matches the changed objects, before or after the change. The
 * lookup comes after the change was read. If a carrier begins to select an object later, the carrier's own change leads
 * to a work request.
 */
async function carriersOf(
  store: Store,
  changes: readonly JournalChange[],
  { collection, among }: Among,
): Promise<readonly WorkRequest[]> {
  const looked = new Map<string, Looked>();
  for (const change of changes) {
    for (const state of [change.before, change.after]) {
      if (state === undefined) continue;
      const { namespace } = change.name;
      const id = `${namespace} ${JSON.stringify(Object.entries(state.labels).sort())}`;
      looked.set(id, { namespace, labels: state.labels, rv: Math.max(change.rv, looked.get(id)?.rv ?? 0) });
    }
  }
  const owed = await Promise.all(
    [...looked.values()].map(async (one) => {
      const subjects = await selecting(store, one);
      return subjects
        .filter((subject) => among.has(subject.collection))
        .map((subject): WorkRequest => ({ subject, collection, rv: one.rv }));
    }),
  );
  return owed.flat();
}

interface Looked {
  readonly namespace: string;
  readonly labels: Labels;
  readonly rv: number;
}

async function selecting(store: Store, { namespace, labels }: Looked): Promise<readonly WorkKey[]> {
  const { found } = await store.selecting(
    { target: PODS, namespace, labels },
    {
      most: MOST,
      matches: ({ path, namespaces, selector }) =>
        path === 'spec.selector' && namespaces?.includes(namespace) === true && selector.matches(labels),
      readCarrier: async (carrier, name) => {
        const state = await store.get(carrier, name);
        if (state === undefined) return undefined;
        const asked = { collection: carrier, namespace: name.namespace, body: state.body };
        return { uid: state.uid, carried: SUBJECTS.has(carrier) ? carriedBy(asked, undefined) : [] };
      },
    },
  );
  return found.map(({ collection, name }) => ({ collection, name }));
}

/** Whether a pod's counted fields differ. Changes of its containers' statuses alone do not count. */
function isCounted({ before, after }: JournalChange): boolean {
  return !isDeepStrictEqual(countedOf(before), countedOf(after));
}

function countedOf(pod: ObjectState | undefined): unknown {
  if (pod === undefined) return undefined;
  const conditions = valueAt(pod.body, 'status.conditions');
  const { ownerReferences, deletionTimestamp } = metadataOf(pod.body);
  return {
    labels: pod.labels,
    ownerReferences,
    deletionTimestamp,
    phase: valueAt(pod.body, 'status.phase'),
    ready: Array.isArray(conditions) && conditions.find((condition) => objectAt(condition).type === 'Ready'),
    nodeName: valueAt(pod.body, 'spec.nodeName'),
  };
}

/** Whether the fields of a pod that endpoints contain differ. */
function isServed({ before, after }: JournalChange): boolean {
  return !isDeepStrictEqual(servedOf(before), servedOf(after));
}

function servedOf(pod: ObjectState | undefined): unknown {
  if (pod === undefined) return undefined;
  const { podIP, podIPs } = objectAt(pod.body.status);
  const { hostname, subdomain, containers, initContainers } = objectAt(pod.body.spec);
  return [
    countedOf(pod),
    pod.uid,
    podIP,
    podIPs,
    hostname,
    subdomain,
    portsOf(containers),
    portsOf(initContainers),
  ];
}

function portsOf(containers: JsonValue | undefined): unknown {
  return Array.isArray(containers) && containers.map((container) => objectAt(container).ports);
}

function movesZones({ before, after }: JournalChange): boolean {
  return before?.labels[ZONE] !== after?.labels[ZONE];
}

/** Whether a change may be by another writer. A deletion may be by anyone. */
function isByOthers({ after }: JournalChange): boolean {
  return after === undefined || !isOwnObject(after);
}

/** The Services that Endpoints or a slice belong to, and belonged to. */
function servicesOf({ name, before, after }: JournalChange): WorkKey[] {
  const named = [before, after].map((state) => state?.labels[SERVICE_NAME] ?? (state && name.name));
  const names = [...new Set(named.filter((one) => one !== undefined))];
  return names.map((one) => ({ collection: SERVICES, name: { namespace: name.namespace, name: one } }));
}

function movesDaemons({ before, after }: JournalChange): boolean {
  const countedOfNode = (node: ObjectState | undefined) =>
    node && { labels: node.labels, taints: valueAt(node.body, 'spec.taints') };
  return !isDeepStrictEqual(countedOfNode(before), countedOfNode(after));
}

function isOfChoice({ before, after }: JournalChange): boolean {
  return after !== undefined && before?.labels[DERIVED_LABEL] !== after.labels[DERIVED_LABEL];
}
