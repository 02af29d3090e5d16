import type { Mutation } from './mutation.ts';

/** Mechanisms that are nothing but an order of steps. */
export const ORDERING_MUTATIONS: readonly Mutation[] = [
  {
    name: 'periodic-bookmark',
    mechanism: 'a periodic bookmark is told behind the events that it covers',
    edits: [
      {
        file: 'lib/store/watch/watches.ts',
        find: 'const { changes, upTo } = await store.nextChanges(collection, progress.position, head);',
        replace:
          "const { changes, upTo } = await store.nextChanges(collection, progress.position, head);\n      if (request.bookmarks && clock.now() - marked >= TIMING.watchBookmark) {\n        marked = clock.now();\n        yield { type: 'BOOKMARK', rv: upTo };\n      }",
      },
    ],
    scenario: 'long-watches',
  },
  {
    name: 'fall-back-awaited',
    mechanism: 'the cursor waits for what falls back to be stored',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'return fallBack(turn, state, { position: object.rv - 1, failure, message, auditID, ...after(accepted) });',
        replace:
          'return void fallBack(turn, state, { position: object.rv - 1, failure, message, auditID, ...after(accepted) }).catch(() => {});',
      },
    ],
    scenario: 'dying-while-refused',
  },
  {
    name: 'group-of-an-object',
    mechanism: 'with `ordering: Object` all that an object is told in has one message group',
    edits: [
      {
        file: 'lib/delivery/event-message.ts',
        find: 'messageGroup(subscription, object)',
        replace: 'messageGroup(subscription, object && { ...object, name: id })',
      },
    ],
    scenario: 'ordered-by-object',
  },
];
