import { isDeepStrictEqual } from 'node:util';
import type { Derived, WorkKey } from '../../coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';
import {
  type DerivedStatus,
  deriveStatus,
  type Inputs,
  type Node,
  type Pod,
  selectorOf,
  type Workload,
} from '../../kubernetes/derived/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { everything } from '../../selectors/index.ts';
import { type ObjectState, type Store, toObject } from '../../store/index.ts';
import { type Choice, chosenIn } from './choice.ts';
import { isOthers } from './managers.ts';
import { Reading } from './reading.ts';
import { DAEMON_SETS, DEPLOYMENTS, NODES, PODS, REPLICA_SETS } from './workloads.ts';

/** The options of deriving a status. */
export interface DerivingOptions {
  readonly store: Store;
  readonly choice: Choice;
  /** In ms since the epoch. */
  readonly now: number;
  /**
   * Writes the status of a whole object, unless the stored object has changed since the read. Rejects where it was
   * not written.
   */
  writeStatus(collection: Collection, object: JsonObject): Promise<void>;
}

/**
 * Writes the status that a workload should have. Writes nothing where the status is already right, where the
 * namespace wants none, and where another writer owns the status.
 */
export async function deriveWorkload(options: DerivingOptions, subject: WorkKey): Promise<Derived> {
  const { store, choice, now } = options;
  const reading = new Reading(store);
  const { collection, name } = subject;
  const state = await reading.one(collection, name);
  if (state === undefined) return { seen: reading.seen };
  const namespace = await reading.one(NAMESPACES, { namespace: '', name: name.namespace });
  if (!chosenIn(namespace?.labels ?? {}, choice).has('status') || isOthers(state.body)) {
    return { seen: reading.seen };
  }
  const workload = state.body as unknown as Workload;
  const derived = deriveStatus(workload, await inputsOf(reading, subject, workload), now);
  if (derived !== undefined && !isDeepStrictEqual(derived.status, workload.status ?? {})) {
    await options.writeStatus(collection, withStatus(state, derived));
  }
  return { seen: reading.seen, ...(derived?.next !== undefined && { next: derived.next }) };
}

function withStatus(state: ObjectState, { status }: DerivedStatus): JsonObject {
  return { ...toObject(state), status: status as JsonObject };
}

async function inputsOf(
  reading: Reading,
  { collection, name }: WorkKey,
  workload: Workload,
): Promise<Inputs> {
  const { namespace } = name;
  const selector = selectorOf(workload);
  return {
    pods: (await reading.all(PODS, { namespace, selector }, podOf)) as readonly Pod[],
    replicaSets:
      collection === DEPLOYMENTS ? await reading.all(REPLICA_SETS, { namespace, selector }, setOf) : [],
    nodes: collection === DAEMON_SETS ? await reading.all(NODES, { selector: everything }, nodeOf) : [],
  };
}

function podOf({ body }: ObjectState): Pod {
  const { metadata, spec, status } = body as unknown as Pod;
  const { name, labels, creationTimestamp, deletionTimestamp, ownerReferences } = metadata;
  const { nodeName, affinity } = spec ?? {};
  const { phase, conditions } = status ?? {};
  return {
    metadata: {
      name,
      labels: labels ?? null,
      creationTimestamp: creationTimestamp ?? null,
      deletionTimestamp: deletionTimestamp ?? null,
      ownerReferences: ownerReferences ?? null,
    },
    spec: { ...(nodeName !== undefined && { nodeName }), affinity: affinity ?? null },
    status: {
      ...(phase !== undefined && { phase }),
      conditions: (conditions ?? []).filter(({ type }) => type === 'Ready'),
    },
  };
}

const setOf = ({ body }: ObjectState) => {
  const { managedFields: _managed, ...metadata } = metadataOf(body);
  return { ...body, metadata } as unknown as Workload;
};

const nodeOf = ({ body }: ObjectState) => ({ metadata: body.metadata, spec: body.spec }) as unknown as Node;
