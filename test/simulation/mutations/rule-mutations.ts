import type { Mutation } from './mutation.ts';

const DECIDING = 'lib/server/deciding.ts';
const POLICIES = 'lib/server/admission-policies/request-rules.ts';
const WEBHOOKS = 'lib/server/admission-webhooks/request-webhooks.ts';
const CACHE = 'lib/server/admission-policies/rule-cache.ts';

/** Mechanisms by which policies that a client has seen acknowledged decide or change every later write. */
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
    name: 'unchanged-create-restarts',
    mechanism: 'a create that assumed that no rules change objects begins again if there are some',
    edits: [
      {
        file: DECIDING,
        find: '    if (this.#hasAssumed && mayMutate(versions)) throw new RestartError();\n',
        replace: '    void [RestartError, mayMutate];\n',
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
  {
    name: 'decided-again',
    mechanism: 'policies decide again if the object changed after their decision',
    edits: [
      {
        file: POLICIES,
        find: 'const attributes = attributesOf(write, this.#options);',
        replace:
          'const attributes = attributesOf(write, this.#options);\n    if ([...this.#verdicts.keys()].some((key) => key.endsWith(attributes.name))) return;',
      },
    ],
    scenario: 'steps',
  },
  {
    name: 'webhooks-decide-again',
    mechanism: 'webhooks are asked again if the object changed after their decision',
    edits: [
      {
        file: WEBHOOKS,
        find: "const { uid = '', resourceVersion = '' } = oldObject === undefined ? {} : metadataOf(oldObject);",
        replace: "const [uid, resourceVersion] = [String(oldObject === undefined), ''];",
      },
      {
        file: WEBHOOKS,
        find: 'const { managedFields: _fields, ...metadata }',
        replace: 'const { managedFields: _fields, resourceVersion: _version, ...metadata }',
      },
    ],
    scenario: 'steps',
  },
];
