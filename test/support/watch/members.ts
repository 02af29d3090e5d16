import {
  firstRow,
  parseState,
  type SubscriptionState,
} from '../../../lib/delivery/subscription/subscription-state.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import type { TargetResource } from '../../../lib/kubernetes/winnow/index.ts';
import { readSubscription } from '../../../lib/kubernetes/winnow/subscription.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { createStore, type JournalChange, type Mutation, type Row } from '../../../lib/store/index.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { createMemoryTable } from '../store/memory-table.ts';
import { readChanges } from '../store/read-changes.ts';
import { seeded } from './memory-world.ts';
import { metadataOf, nameOf } from './watch-world.ts';

export function targetOf(resource: string): TargetResource {
  const target = targetResources.find('', resource);
  if (target === undefined) throw new Error(`no resource ${resource}`);
  return target;
}

interface MemberOptions {
  readonly uid?: string;
  readonly resource?: string;
}

/** The first row of the subscription `default/<name>`, with a uid of its own. */
export function memberRow(
  name: string,
  spec: JsonObject = {},
  { uid = `uid-${name}`, resource = 'pods' }: MemberOptions = {},
): Row {
  const body = { spec: { resource: { group: '', resource }, ...spec } };
  return firstRow({
    name: nameOf(`default/${name}`),
    uid,
    queueName: '',
    spec: readSubscription(body, targetResources),
    generation: 1,
    head: 1,
  });
}

/** Its state, as dispatch reads it. */
export function member(name: string, spec: JsonObject = {}, options: MemberOptions = {}): SubscriptionState {
  return parseState(memberRow(name, spec, options), targetOf(options.resource ?? 'pods'));
}

/** What happens to the pod `<namespace>/<name>`; without labels it is deleted. */
export interface PodWrite {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
}

/** The changes that the journal has after these writes. Deleting what is not there changes nothing. */
export async function podChanges(writes: readonly PodWrite[]): Promise<JournalChange[]> {
  const clock = new OwnedClock();
  const store = createStore({ table: createMemoryTable(), clock, random: seeded(1), logger: silentLogger });
  for (const write of writes) {
    const name = nameOf(write.name);
    const { labels, phase } = write;
    await store.write('core/pods', name, (current): Mutation => {
      if (labels !== undefined) {
        const metadata = { uid: `uid-${write.name}`, ...metadataOf(current), ...name, labels };
        const status: JsonObject = phase === undefined ? {} : { phase };
        return { kind: 'put', body: { apiVersion: 'v1', kind: 'Pod', metadata, status } };
      }
      return current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body };
    });
  }
  return readChanges(store, 'core/pods');
}
