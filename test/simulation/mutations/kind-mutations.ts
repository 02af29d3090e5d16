import type { Mutation } from './mutation.ts';

const DEFINITION = 'lib/controllers/reconcile/reconcile-definition.ts';
const VIEW = 'lib/server/registry/custom-view.ts';

/** Mechanisms of lib/server/registry, and of what looks after definitions. */
export const KIND_MUTATIONS: readonly Mutation[] = [
  {
    name: 'next-after-decided',
    mechanism: 'what was decided from all definitions is the very next change of them',
    edits: [
      { file: 'lib/store/write.ts', find: 'rv === mutation.after + 1;', replace: 'rv > mutation.after;' },
    ],
    scenario: 'kinds',
  },
  {
    name: 'written-while-it-is',
    mechanism: 'a write is decided while its kind is what it was taken for',
    edits: [
      {
        file: VIEW,
        find: 'if ((await present(TIMING.definitionLook)) !== type) {',
        replace: 'if ((await present(TIMING.definitionLook)) !== type && type === undefined) {',
      },
    ],
    scenario: 'kinds-outlived',
  },
  {
    name: 'nothing-new-of-what-goes',
    mechanism: 'nothing is created of a kind that is on its way out',
    edits: [{ file: VIEW, find: 'if (current === undefined) refuseTerminating(type);', replace: '' }],
    scenario: 'kinds-at-once',
  },
  {
    name: 'compacted-with-its-kind',
    mechanism: 'the journal of a kind that goes is compacted up to its end',
    edits: [{ file: DEFINITION, find: "await store.raise(collection, 'compacted', end);", replace: '' }],
    scenario: 'kinds',
  },
  {
    name: 'refused-pages-of-what-was',
    mechanism: 'a page of a kind that was is refused, though its journal is still there',
    edits: [
      {
        file: VIEW,
        find: 'if (at !== undefined) await refuseGone(',
        replace: 'if (at === 0) await refuseGone(',
      },
    ],
    scenario: 'kinds',
  },
  {
    name: 'watch-ends-with-its-kind',
    mechanism: 'a watch ends when its kind is another',
    edits: [
      {
        file: VIEW,
        find: 'return !isSameKind(now?.custom, custom);',
        replace: 'return now === type && !isSameKind(custom, custom);',
      },
    ],
    scenario: 'kinds',
  },
  {
    name: 'declared-before-it-is',
    mechanism: 'the collection of a kind is declared before there can be objects',
    edits: [
      {
        file: 'lib/server/registry/definition-store.ts',
        find: 'await store.declare(declaration);',
        replace: 'if (clock.now() < 0) await store.declare(declaration);',
      },
    ],
    scenario: 'kinds',
  },
  {
    name: 'known-as-of-the-head',
    mechanism: 'a process remembers the kinds of the definitions’ present resourceVersion, and no others',
    edits: [
      {
        file: 'lib/server/registry/custom-types.ts',
        find: 'const head = await store.head(DEFINITIONS);',
        replace: 'const head = this.#last?.snapshot.rv ?? (await store.head(DEFINITIONS));',
      },
    ],
    scenario: 'kinds',
  },
  {
    name: 'stays-until-dispatch-has-told',
    mechanism: 'a definition that is deleted stays until dispatch has told of the last of its objects',
    edits: [
      {
        file: DEFINITION,
        find: 'if (found === 0 && (await leastPosition(options, collection)) >= rv) return rv;',
        replace: 'if (found === 0 && readCursor !== undefined) return rv;',
      },
    ],
    scenario: 'dying-kinds',
  },
  {
    name: 'free-names-are-given',
    mechanism: 'who waits for a name is given it when it is free',
    edits: [
      {
        file: DEFINITION,
        find: "if (how === 'done') await definitions.settleNames(store);",
        replace: 'void definitions;',
      },
    ],
    scenario: 'kinds',
  },
  {
    name: 'schedule-asks-for-definitions',
    mechanism: 'the schedule asks for definitions that are on their way out',
    edits: [
      {
        file: 'lib/controllers/reconcile/definitions-due.ts',
        find: '.filter(({ body }) => isBeingCleaned(body) || awaitsNames(body))',
        replace: '.filter(({ body }) => isBeingCleaned(body) && awaitsNames(body))',
      },
    ],
    scenario: 'dying-kinds',
  },
];
