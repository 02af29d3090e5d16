import type { Mutation } from './mutation.ts';

const DECIDING = 'lib/server/deciding.ts';
const CACHE = 'lib/server/admission-policies/rule-cache.ts';

/** Mechanisms by which policies that a client has seen acknowledged decide every later write. */
export const RULE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'rule-versions-read-each-time',
    mechanism: 'each write reads the row that says which admission policies count',
    edits: [
      {
        file: DECIDING,
        find: 'this.#versions ??= store.ruleVersions(permission?.row).then(',
        replace:
          'this.#versions ??= ((options as unknown as { row?: Promise<RuleVersions | undefined> }).row ??= store.ruleVersions(permission?.row)).then(',
      },
    ],
    scenario: 'rules',
  },
  {
    name: 'bindings-forgotten',
    mechanism: 'a policy or a binding that is gone is taken out of what is kept',
    edits: [{ file: CACHE, find: '    all.delete(name);\n', replace: '    void all;\n' }],
    scenario: 'rules',
  },
];
