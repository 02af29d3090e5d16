import type { Clock } from '../platform/index.ts';
import {
  collectionOf,
  cursorKey,
  type JsonObject,
  jsonEquals,
  metadataOf,
  type ObjectName,
  objectAt,
  type Row,
  type Store,
  subscriptionKey,
  type Table,
} from '../store/index.ts';
import { SUBSCRIPTIONS } from './own-collections.ts';
import type { SubscriptionState } from './subscription-state.ts';
import { timestamp } from './timestamp.ts';

interface StatusOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/** Writes a Subscription's status when its phase or queue changed; progress alone never feeds the journal. */
export async function writeSubscriptionStatus(
  { store, clock }: StatusOptions,
  name: ObjectName,
  state: SubscriptionState,
): Promise<void> {
  await store.write(SUBSCRIPTIONS, name, (current) => {
    if (current === undefined || current.uid !== state.uid) return { kind: 'none' };
    const old = objectAt(current.body.status);
    const status = statusOf(state, old, clock.now());
    return jsonEquals(old, status) ? { kind: 'none' } : { kind: 'put', body: { ...current.body, status } };
  });
}

function statusOf(state: SubscriptionState, old: JsonObject, now: number): JsonObject {
  const phase = phaseOf(state);
  const { generation, edit, queueUrl } = state;
  const ready = {
    type: 'Ready',
    status: phase === 'Synced' ? 'True' : 'False',
    reason: phase,
    message:
      phase === 'Synced'
        ? 'changes are sent as they happen'
        : state.failure || 'catching up with the journal',
  };
  const [before] = Array.isArray(old.conditions) ? old.conditions : [];
  const { lastTransitionTime = null, ...unchanged } = objectAt(before);
  const since = unchanged.status === ready.status ? lastTransitionTime : timestamp(now);
  const conditions = [{ ...ready, lastTransitionTime: since }];
  return { observedGeneration: generation, edit, queueUrl, phase, conditions };
}

function phaseOf(state: SubscriptionState): string {
  if (state.membership === 'synced') return 'Synced';
  if (state.queueUrl === '') return 'Pending';
  return state.failures > 0 ? 'Failing' : 'CatchingUp';
}

/**
 * A Subscription with `status.position` composed from its state row: everything up to there was sent. A
 * subscription without a row, not reconciled yet, is shown as it is.
 */
export async function withPosition(table: Table, body: JsonObject): Promise<JsonObject> {
  const spec = objectAt(body.spec);
  const { group = '', resource } = objectAt(spec.resource);
  const { uid } = metadataOf(body);
  const collection = collectionOf(String(group), String(resource));
  const [row, cursor] = await Promise.all([
    table.get(subscriptionKey(collection, String(uid))),
    table.get(cursorKey(collection)),
  ]);
  if (row === undefined) return body;
  const status = objectAt(body.status);
  return { ...body, status: { ...status, position: String(positionOf(row, Number(cursor?.position ?? 0))) } };
}

/** A snapshot under way was taken at its position; but until its end not everything up to there was sent. */
function positionOf({ membership, step, from, position }: Row, cursor: number): number {
  if (membership === 'synced') return Math.max(Number(position), cursor);
  return step === 'journal' || from !== '' ? Number(position) : 0;
}
