import { STORE } from './store.ts';
import type { Survivors } from './survivors.ts';
import { WATCH } from './watch.ts';

export type { Survivors };

/** The files whose every survivor was covered or is explained here. */
export const JUDGED: readonly string[] = [
  'lib/store/body-codec.ts',
  'lib/store/each-page.ts',
  'lib/store/head.ts',
  'lib/store/holes.ts',
  'lib/store/journal-tail.ts',
  'lib/store/journal.ts',
  'lib/store/json.ts',
  'lib/store/keys.ts',
  'lib/store/list/candidates.ts',
  'lib/store/list/index-stream.ts',
  'lib/store/list/leapfrog.ts',
  'lib/store/list/list-objects.ts',
  'lib/store/list/list-plan.ts',
  'lib/store/list/list-sources.ts',
  'lib/store/list/overlay.ts',
  'lib/store/list/state-at.ts',
  'lib/store/list/union-stream.ts',
  'lib/store/object.ts',
  'lib/store/relabel-window.ts',
  'lib/store/settle.ts',
  'lib/store/store.ts',
  'lib/store/watermarks.ts',
  'lib/watch/collect/collect-dependent.ts',
  'lib/watch/collect/collect.ts',
  'lib/watch/collect/expiry-of.ts',
  'lib/watch/collect/look-at-dependents.ts',
  'lib/watch/collect/look-at-expiry.ts',
  'lib/watch/collect/owner-event.ts',
  'lib/watch/collect/owner-verdicts.ts',
  'lib/watch/collect/removal.ts',
  'lib/watch/collect/state-now.ts',
  'lib/watch/cursor.ts',
  'lib/watch/dispatch/deliveries.ts',
  'lib/watch/dispatch/dispatch.ts',
  'lib/watch/dispatch/gather-events.ts',
  'lib/watch/dispatch/known-states.ts',
  'lib/watch/dispatch/member-changes.ts',
  'lib/watch/dispatch/member-index.ts',
  'lib/watch/dispatch/member-indexes.ts',
  'lib/watch/dispatch/membership.ts',
  'lib/watch/dispatch/reconcile-messages.ts',
  'lib/watch/dispatch/take-turn.ts',
  'lib/watch/dispatch/turn-changes.ts',
  'lib/watch/event-message.ts',
  'lib/watch/hints.ts',
  'lib/watch/hops.ts',
  'lib/watch/internal-messages.ts',
  'lib/watch/is-terminating.ts',
  'lib/watch/known-resources.ts',
  'lib/watch/lease.ts',
  'lib/watch/notices.ts',
  'lib/watch/relay.ts',
  'lib/watch/send.ts',
  'lib/watch/sqs/sqs-queues.ts',
  'lib/watch/subscription-state.ts',
  'lib/watch/subscription-status.ts',
  'lib/watch/subscription.ts',
  'lib/watch/take-over.ts',
  'lib/watch/transition.ts',
  'lib/watch/watches.ts',
  'lib/watch/within.ts',
];

export const SURVIVORS: readonly Survivors[] = [...STORE, ...WATCH];

export function knownSurvivors(): ReadonlySet<string> {
  return new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
}
