import type { ReconcileMessage } from '../../coordination/index.ts';
import { ReconcileRequests, type ReconcileRequestsOptions } from '../../coordination/index.ts';
import { NAMESPACES, SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import type { Store, Table } from '../../store/index.ts';
import {
  namespaceSelectorOf,
  readStates,
  type SubscriptionState,
  selectedFrom,
  selectsOthers,
} from '../subscription/index.ts';
import { everyObject } from './every-object.ts';

export interface LabelsOptions extends ReconcileRequestsOptions {
  readonly table: Table;
  readonly store: Store;
  readonly resources: TargetResources;
}

type LabelsMessage = Extract<ReconcileMessage, { kind: 'labels' }>;

/**
 * Requests a reconcile of every Subscription and Tally whose namespaceSelector selects other namespaces after a change
 * of namespaces or their labels. If it misses one, `tick` requests the reconcile.
 */
export async function reconcileLabels(
  options: LabelsOptions,
  { rv, hops = 0 }: LabelsMessage,
): Promise<void> {
  const { store, table, resources } = options;
  const all = await Promise.all([SUBSCRIPTIONS, TALLIES].map((own) => everyObject(store, own)));
  const selecting = all.flat().filter(({ body }) => namespaceSelectorOf(body) !== undefined);
  if (selecting.length === 0) return;
  const namespaces = await everyObject(store, NAMESPACES);
  const states = new Map<string, SubscriptionState>();
  for (const collection of new Set(selecting.map(selectedFrom))) {
    const target = resources.of(collection);
    const found = target === undefined ? [] : await readStates(table, target);
    for (const state of found) states.set(state.uid, state);
  }
  const notices = new ReconcileRequests(options, hops + 1);
  for (const object of selecting) {
    const { name, uid, body } = object;
    const state = states.get(uid);
    if (state !== undefined && !selectsOthers(object, state, namespaces)) continue;
    const kind = body.kind === 'Tally' ? 'tally' : 'subscription';
    notices.add({ kind, name, uid, collection: selectedFrom(object) }, `labels/${rv}`);
  }
  await notices.send();
}
