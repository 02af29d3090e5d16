import type { Mutation } from './mutation.ts';

/** Mechanisms by which the functions tell each other what there is to do. */
export const TELLING_MUTATIONS: readonly Mutation[] = [
  {
    name: 'hints-come-again',
    mechanism: 'the relay and the schedule repeat a hint that was lost',
    edits: [
      {
        file: 'lib/coordination/relay.ts',
        find: 'await options.hints.send(await followedHints(options, newest));',
        replace: 'void followedHints;',
      },
      {
        file: 'lib/controllers/reconcile/tick.ts',
        find: 'await hints.send(behind, minute);',
        replace: 'void [hints, behind, minute];',
      },
    ],
    scenario: 'lost-hints',
  },
  {
    name: 'writes-marked',
    mechanism: 'a process marks that it writes, so that the schedule looks for lost hints again',
    edits: [
      {
        file: 'lib/store/write.ts',
        find: 'await Promise.all([allotVersion(table, collection), mark(table)]);',
        replace: '[await allotVersion(table, collection), mark];',
      },
    ],
    scenario: 'lost-hints-in-quiet-times',
  },
  {
    name: 'no-quiet-time-while-writing',
    mechanism: 'ticks are left out only if no process has written for a time',
    edits: [
      {
        file: 'lib/controllers/reconcile/quiet-times.ts',
        find: 'mark === undefined || now - mark < STILL || due <= clock.now()',
        replace: 'mark === undefined || due <= clock.now()',
      },
    ],
    scenario: 'lost-hints-in-quiet-times',
  },
  {
    name: 'no-quiet-time-with-work',
    mechanism: 'ticks are left out only after a tick without work',
    edits: [
      {
        file: 'lib/controllers/reconcile/quiet-times.ts',
        find: 'now - mark < STILL || due <= clock.now()',
        replace: 'now - mark < STILL',
      },
      {
        file: 'lib/controllers/reconcile/quiet-times.ts',
        find: 'until: Math.min(due, ',
        replace: 'until: Math.max(due, ',
      },
    ],
    scenario: 'refused-in-quiet-times',
  },
  {
    name: 'followed-marked',
    mechanism: 'dispatch marks a collection with Subscriptions, so that its writers send hints',
    edits: [
      {
        file: 'lib/delivery/dispatch/dispatch.ts',
        find: 'upTo(asked, await markFollowed(table, asked.collection))',
        replace: 'upTo(asked, markFollowed.length)',
      },
    ],
    scenario: 'unfollowed-at-first',
  },
  {
    name: 'subscriptions-come-again',
    mechanism: 'the schedule asks for every subscription that is due',
    edits: [
      {
        file: 'lib/controllers/reconcile/tick.ts',
        find: '...waiting.messages,',
        replace: '',
      },
    ],
    scenario: 'refusing-queues',
  },
  {
    name: 'group-shown-at-once',
    mechanism: 'a message group whose function failed is shown again at once',
    edits: [
      {
        file: 'functions/sqs-batch.ts',
        find: 'if (left.length > 0) await giveBack(left, options, delay);',
        replace: 'void giveBack;',
      },
    ],
    scenario: 'queues',
  },
  {
    name: 'group-within-a-minute',
    mechanism: 'a dispatcher that died gives its collection back within a minute',
    edits: [
      {
        file: 'lib/platform/timing.ts',
        find: 'eventVisibility: 60_000,',
        replace: 'eventVisibility: 180_000,',
      },
    ],
    scenario: 'dying-functions',
  },
  {
    name: 'notices-if-they-can',
    mechanism: 'a notice that is refused fails no turn whose result is stored',
    edits: [
      {
        file: 'lib/coordination/reconcile-requests.ts',
        find: 'if (failure === undefined) return;',
        replace: 'if (failure === undefined) return;\n    if (accepted >= 0) throw new Error(message);',
      },
    ],
    scenario: 'refused-notices',
  },
  {
    name: 'hints-if-they-can',
    mechanism: 'a hint of its own that is refused fails no reconciliation',
    edits: [
      {
        file: 'lib/coordination/hints.ts',
        find: "logger.warn('a hint was not sent; the next tick sends it', { ...hint, error });",
        replace: 'throw error;',
      },
    ],
    scenario: 'refused-notices',
  },
  {
    name: 'states-read-again',
    mechanism: 'states are read again where they changed, whoever changed them',
    edits: [
      {
        file: 'lib/delivery/dispatch/known-states.ts',
        find: 'const isSame = known?.version === version;',
        replace: 'const isSame = known !== undefined && version >= 0;',
      },
    ],
    scenario: 'many-dispatchers',
  },
  {
    name: 'raised-before-changed',
    mechanism: 'dispatch tells other dispatchers before it changes a state',
    edits: [
      {
        file: 'lib/delivery/dispatch/member-changes.ts',
        find: 'add: { members: 1 },',
        replace: 'add: { members: 0 },',
      },
    ],
    scenario: 'refusing-queues',
  },
  {
    name: 'raised-when-ready',
    mechanism: 'reconcile says that it stored something for dispatch',
    edits: [
      {
        file: 'lib/delivery/shards/bump-subscriptions.ts',
        find: 'add: { members: 1 }',
        replace: 'add: { members: 0 }',
      },
    ],
    scenario: 'queues',
  },
  {
    name: 'gathered-in-the-next',
    mechanism: 'a row that is asked for while rows are read is read after that',
    edits: [
      {
        file: 'lib/store/tables/batching-table.ts',
        find: '    gathering.set(signal, []);\n    await readTogether(table, asked, signal);',
        replace: '    await readTogether(table, asked, signal);\n    gathering.set(signal, []);',
      },
    ],
    scenario: 'many-subscribers',
  },
];
