import { STORE } from './store.ts';
import type { Survivors } from './survivors.ts';
import { WATCH } from './watch.ts';

export type { Survivors };

/** The files whose every survivor was covered or is explained here. */
export const JUDGED: readonly string[] = [
  'lib/store/body-codec.ts',
  'lib/store/declared-collections.ts',
  'lib/store/dynamodb/errors.ts',
  'lib/store/dynamodb/expressions.ts',
  'lib/store/dynamodb/items.ts',
  'lib/store/dynamodb/metered-client.ts',
  'lib/store/dynamodb/unanswered-retry.ts',
  'lib/store/each-page.ts',
  'lib/store/extent.ts',
  'lib/store/gathered-table.ts',
  'lib/store/holes.ts',
  'lib/store/jittered-sleep.ts',
  'lib/store/journal-tail.ts',
  'lib/store/journal.ts',
  'lib/store/json.ts',
  'lib/store/labels/label-entries.ts',
  'lib/store/labels/label-rows.ts',
  'lib/store/labels/label-slots.ts',
  'lib/store/list/overlay.ts',
  'lib/store/list/sorted-stream.ts',
  'lib/store/list/state-at.ts',
  'lib/store/measured-table.ts',
  'lib/store/merge-patch.ts',
  'lib/store/owners/asked-looks.ts',
  'lib/store/owners/dependents.ts',
  'lib/store/owners/looks.ts',
  'lib/store/owners/owner-references.ts',
  'lib/store/owners/plan-owners.ts',
  'lib/store/patient-table.ts',
  'lib/store/relabel-window.ts',
  'lib/store/settle.ts',
  'lib/store/value-at.ts',
  'lib/store/watermarks.ts',
  'lib/watch/collect/collect-dependent.ts',
  'lib/watch/collect/collect.ts',
  'lib/watch/collect/look-at-dependents.ts',
  'lib/watch/collect/look-at-expiry.ts',
  'lib/watch/collect/owner-verdicts.ts',
  'lib/watch/collect/protections.ts',
  'lib/watch/collect/removal.ts',
  'lib/watch/collect/state-now.ts',
  'lib/watch/dispatch/deliveries.ts',
  'lib/watch/dispatch/gather-events.ts',
  'lib/watch/dispatch/member-index.ts',
  'lib/watch/dispatch/reconcile-messages.ts',
  'lib/watch/dispatch/turn-changes.ts',
  'lib/watch/head-poll.ts',
  'lib/watch/hops.ts',
  'lib/watch/is-terminating.ts',
  'lib/watch/known-resources.ts',
  'lib/watch/notices.ts',
  'lib/watch/reconcile/compaction.ts',
  'lib/watch/reconcile/empty-collection.ts',
  'lib/watch/reconcile/every-object.ts',
  'lib/watch/reconcile/fitting-stretch.ts',
  'lib/watch/reconcile/follow-journal.ts',
  'lib/watch/reconcile/reconcile-namespace.ts',
  'lib/watch/reconcile/reconcile.ts',
  'lib/watch/reconcile/send-difference.ts',
  'lib/watch/relay.ts',
  'lib/watch/transition.ts',
  'lib/watch/watches.ts',
  'lib/watch/within.ts',
];

export const SURVIVORS: readonly Survivors[] = [...STORE, ...WATCH];

export function knownSurvivors(): ReadonlySet<string> {
  return new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
}
