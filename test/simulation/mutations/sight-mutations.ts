import type { Mutation } from './mutation.ts';

const STORE = 'lib/server/scoped/scoped-store.ts';
const WATCH = 'lib/server/verbs/watch-objects.ts';

/** Mechanisms by which who has a grant of some objects is shown no other, and writes no other. */
export const SIGHT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'gets-within-sight',
    mechanism: 'what a grant does not select is not there to a GET',
    edits: [
      {
        file: 'lib/server/scoped/row-filter.ts',
        find: 'return states.filter(({ labels }) => scope.matches(labels));',
        replace: 'return [...states];',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'lists-within-sight',
    mechanism: 'a LIST is of what the grants select',
    edits: [
      {
        file: STORE,
        find: '  const selector = selectorWithin(request.selector, scope);\n  const more',
        replace: '  const selector = request.selector;\n  void scope;\n  const more',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'pages-to-their-end',
    mechanism: 'where a page within a grant is full, the next one is told of',
    edits: [
      {
        file: STORE,
        find: 'const next = isFull ? items.at(-1)?.name : behind;',
        replace: 'const next = behind;',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'watches-within-sight',
    mechanism: 'a watch is of what the grants select: what is labelled out of it is deleted',
    edits: [
      {
        file: 'lib/server/scoped/scoped-watches.ts',
        find: '{ ...request, selector: selectorWithin(request.selector, scope) }',
        replace: 'request',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'each-grant-counts',
    mechanism: 'several grants give what each of them selects',
    edits: [
      {
        file: 'lib/server/scoped/selector-within.ts',
        find: 'scope.selectors.map(',
        replace: 'scope.selectors.slice(0, 1).map(',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'own-selector-counts',
    mechanism: 'who asks for some objects is told those of them alone that his grants select',
    edits: [
      {
        file: 'lib/server/scoped/selector-within.ts',
        find: 'intersect(selector, one)',
        replace: '(selector.isEmpty ? one : selector)',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'watches-decided-again',
    mechanism: 'an open watch reads the row again and ends where its reader sees others now',
    edits: [
      {
        file: WATCH,
        find: 'if (permit !== undefined && clock.now()',
        replace: 'if (permit !== undefined && allowed < 0 && clock.now()',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'decided-at-its-end',
    mechanism:
      'a watch that is over is decided once more: what came with a grant the next one would not tell',
    edits: [
      {
        file: WATCH,
        find: "if (permit !== undefined && !signal.aborted && (await permit.stands()) === 'changed')",
        replace: 'if (permit !== undefined && signal.aborted && allowed < 0)',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'changed-is-told',
    mechanism: 'a watch whose reader sees other objects than before tells him to list',
    edits: [
      {
        file: WATCH,
        find: "if (standing === 'changed') return yield",
        replace: "if (standing === 'changed') void",
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'writes-within-sight',
    mechanism: 'nobody writes an object so that he would not see it',
    edits: [
      {
        file: 'lib/server/scoped/scope-check.ts',
        find: 'if (seen.length === 0) refuseOutside(permission, { scope, access, body });',
        replace: 'void refuseOutside;',
      },
    ],
    scenario: 'tenants',
  },
  {
    name: 'hidden-is-not-overwritten',
    mechanism: 'a name that an object has that is not seen is taken',
    edits: [
      {
        file: STORE,
        find: "if (isHidden && mutation.kind !== 'none') guard.refuseTaken(name);",
        replace: '',
      },
    ],
    scenario: 'tenants',
  },
];
