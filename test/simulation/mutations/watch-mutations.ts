import type { Mutation } from './mutation.ts';

/** Mechanisms of the store's watches, coordination, delivery and the controllers. */
export const WATCH_MUTATIONS: readonly Mutation[] = [
  {
    name: 'matched-before',
    mechanism: 'the event type tells whether the object matched before',
    edits: [
      {
        file: 'lib/store/watch/transition.ts',
        find: 'const was = matches(filter, change.before);',
        replace: 'const was = change.before !== undefined;',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'bookmark-behind-its-events',
    mechanism: 'a bookmark covers what was told, not what is there',
    edits: [
      {
        file: 'lib/store/watch/watches.ts',
        find: 'const { position } = progress;',
        replace: 'const position = await options.store.head(collection).catch(() => progress.position);',
      },
    ],
    scenario: 'readers',
  },
  {
    name: 'arrived-in-order',
    mechanism: 'the entries that a watch finds end before the first missing one',
    edits: [
      {
        file: 'lib/store/journal-tail.ts',
        find: 'const entries = read.filter(({ rv }, index) => rv === after + 1 + index);',
        replace: 'const entries = read;',
      },
    ],
    scenario: 'contention',
  },
  {
    name: 'head-shows-gaps',
    mechanism: 'a watch reads the head from time to time, and so meets gaps',
    edits: [
      {
        file: 'lib/store/watch/entry-poll.ts',
        find: 'if (committed === undefined && clock.now() - this.#headRead >= headPause) {',
        replace: 'if (headPause < 0) {',
      },
    ],
    scenario: 'long-watches',
  },
  {
    name: 'index-refreshed',
    mechanism: 'every turn brings the match index to what the subscriptions select',
    edits: [
      {
        file: 'lib/delivery/dispatch/subscription-index.ts',
        find: 'if (known !== undefined && isSame(known, member)) continue;',
        replace: 'if (known !== undefined) continue;\n      void isSame;',
      },
    ],
    scenario: 'edited',
  },
  {
    name: 'dispatch-owns-membership',
    mechanism: 'only dispatch takes a subscription out of the synced set',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "if (this.state.membership !== 'catching-up') return this.#leaveToDispatch(queueLost);",
        replace:
          "if (this.state.membership !== 'catching-up' && !this.#isEdited) return this.#leaveToDispatch(queueLost);",
      },
    ],
    scenario: 'two-dispatchers',
  },
  {
    name: 'lease',
    mechanism: 'one dispatcher at a time holds a collection',
    edits: [
      {
        file: 'lib/coordination/lease.ts',
        find: "{ missing: 'leaseExpires' },",
        replace:
          "{ missing: 'leaseExpires' },\n          { attribute: 'leaseExpires', is: '<', value: now + 1e12 },",
      },
    ],
    scenario: 'many-dispatchers',
  },
  {
    name: 'states-as-read',
    mechanism: 'a dispatcher that outlived its lease changes no state that is not what it read',
    edits: [
      {
        file: 'lib/delivery/dispatch/membership.ts',
        find: 'const isAdmitted = await updateState(options.table, state, admission, asRead(state));',
        replace: 'const isAdmitted = await updateState(options.table, state, admission, []);',
      },
      {
        file: 'lib/delivery/dispatch/membership.ts',
        find: 'if (await updateState(options.table, state, change, asRead(state))) return;',
        replace: 'if (await updateState(options.table, state, change, [])) return;',
      },
    ],
    scenario: 'outlived-turns',
  },
  {
    name: 'turn-ends-with-who-cannot-fall-back',
    mechanism: 'the turn of a dispatcher ends where a subscription cannot be made to catch up',
    edits: [
      {
        file: 'lib/delivery/dispatch/membership.ts',
        find: "if (row !== undefined && row.membership !== 'catching-up') {",
        replace: 'if (row === undefined && row !== undefined) {',
      },
    ],
    scenario: 'outlived-turns',
  },
  {
    name: 'fall-back-before-the-cursor',
    mechanism: 'a failing subscription is marked catching-up before the cursor moves',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: '  await send(turn, members, {',
        replace:
          '  await endTurn({ ...turn, hint: { ...turn.hint, rv: Number.POSITIVE_INFINITY } }, { position: Math.max(cursor, reached), seen: seen() });\n  await send(turn, members, {',
      },
    ],
    scenario: 'dying-functions',
  },
  {
    name: 'admitted-gap',
    mechanism: 'a subscription that is admitted is sent what came since it met the head',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'const from = near.reduce((least, state) => Math.min(least, sentTo(state, cursor)), cursor);',
        replace: 'const from = cursor;',
      },
    ],
    scenario: 'admissions',
  },
  {
    name: 'stop-at-first-failure',
    mechanism: 'a queue stops at its first failed message, and rewinds to it',
    edits: [
      {
        file: 'lib/coordination/send.ts',
        find: 'accepted: accepted + Math.min(...failed),',
        replace: 'accepted: accepted + Math.max(...failed),',
      },
    ],
    scenario: 'busy',
  },
  {
    name: 'slow-queue-given-up',
    mechanism: 'a turn gives up a queue that does not answer',
    edits: [
      {
        file: 'lib/delivery/dispatch/send-timeout.ts',
        find: 'if (one.looks * LOOK <= most) continue;',
        replace: 'if (one.looks * LOOK <= most || one.looks > 0) continue;',
      },
    ],
    scenario: 'stalled-queues',
  },
  {
    name: 'refused-is-sent-by-reconcile',
    mechanism: 'what a queue did not take reconcile sends, before dispatch sends to that queue again',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: 'const near = this.state.failures > 0 ? 0 : NEAR;',
        replace: 'const near = NEAR;',
      },
    ],
    scenario: 'stalled-queues',
  },
  {
    name: 'deduplication-by-attempt',
    mechanism: 'the deduplication id carries the attempt: a rewind is sent anew',
    edits: [
      {
        file: 'lib/delivery/event-message.ts',
        find: 'const { uid, start, attempt, edit, fifo, name, collection } = subscription;',
        replace: 'const { uid, start, edit, fifo, name, collection } = subscription;\n  const attempt = 0;',
      },
    ],
    scenario: 'busy',
  },
  {
    name: 'deduplication-by-start',
    mechanism: 'the deduplication id carries the start: a fresh snapshot is sent anew',
    edits: [
      {
        file: 'lib/delivery/event-message.ts',
        find: 'const { uid, start, attempt, edit, fifo, name, collection } = subscription;',
        replace: 'const { uid, attempt, edit, fifo, name, collection } = subscription;\n  const start = 0;',
      },
    ],
    scenario: 'edited',
  },
  {
    name: 'deduplication-of-bookmarks',
    mechanism: "a bookmark's deduplication id is not that of an event at its resourceVersion",
    edits: [
      {
        file: 'lib/delivery/event-message.ts',
        find: 'message(subscription, `bookmark.',
        replace: 'message(subscription, String(rv) || `',
      },
    ],
    scenario: 'queues',
  },
  {
    name: 'look-after-queues',
    mechanism: 'the schedule looks whether queues are gone',
    edits: [
      {
        file: 'lib/delivery/reconcile/catch-up.ts',
        find: "const queueLost = this.state.queueUrl !== '' && !(await this.#queue.exists(this.#given.isAdmitted));",
        replace: 'const queueLost = false;',
      },
    ],
    scenario: 'edited',
  },
  {
    name: 'namespace-grace',
    mechanism: 'a namespace is emptied again a grace after it was marked',
    edits: [
      {
        file: 'lib/controllers/reconcile/reconcile-namespace.ts',
        find: 'await clock.sleep(TIMING.grace);',
        replace: '',
      },
    ],
    scenario: 'namespaces',
  },
  {
    name: 'emptying-goes-on',
    mechanism: 'what one invocation cannot empty goes on by a message to itself',
    edits: [{ file: 'lib/delivery/go-on.ts', find: 'await notices.send();', replace: 'void notices;' }],
    scenario: 'emptied-by-messages',
  },
  {
    name: 'fresh-namespace',
    mechanism: 'a create gives up that looked at its namespace too long ago',
    edits: [
      {
        file: 'lib/store/write.ts',
        find: 'const fresh = clock.now() - began <= TIMING.grace - TIMING.transaction;',
        replace: 'const fresh = began > 0;',
      },
    ],
    scenario: 'namespaces',
  },
  {
    name: 'queue-name-before-queue',
    mechanism: "a queue's name is stored before the queue is made",
    edits: [
      {
        file: 'lib/delivery/reconcile/reconcile-subscription.ts',
        find: 'firstRow({ ...taking, name, uid, access, queueName, head })',
        replace: "firstRow({ ...taking, name, uid, access, queueName: '', head })",
      },
      {
        file: 'lib/delivery/reconcile/current-queue.ts',
        find: "if (progress.state.queueName === '') await progress.store({ queueName });",
        replace: '',
      },
    ],
    scenario: 'dying-functions',
  },
  {
    name: 'admitted-in-turns',
    mechanism: 'who is not admitted by one turn is by another that follows it',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'const seen = () => (ready.length > admitted.length ? given.cursor.seen : turn.changes.seen);',
        replace: 'const seen = () => turn.changes.seen;',
      },
    ],
    scenario: 'many-subscribers',
  },
  {
    name: 'turn-takes-what-is-decided',
    mechanism: 'a turn takes no more of the journal than is decided',
    edits: [
      {
        file: 'lib/delivery/dispatch/turn-changes.ts',
        find: 'if (next.upTo === at) break;',
        replace: 'if (next.upTo === at) {\n      at += 1;\n      continue;\n    }',
      },
    ],
    scenario: 'busy',
  },
];
