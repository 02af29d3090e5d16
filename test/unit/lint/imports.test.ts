import { beforeAll, describe, expect, it } from '@jest/globals';
import { lint } from './lint-fixture.ts';

/** Who imports what. One file each, linted together. */
type Import = readonly [importer: string, specifier: string];
/** With a part of what lint says of it. */
type Refused = readonly [...Import, says: string];

const FACE = "import the folder's index.ts";

const FORBIDDEN: readonly Refused[] = [
  // Past a face, in each folder and in either direction.
  ['lib/watch/a1.ts', '../store/journal.ts', FACE],
  ['lib/api/a2.ts', './http/route.ts', FACE],
  ['lib/api/verbs/a3.ts', '../http/route.ts', FACE],
  ['lib/selectors/a4.ts', './match-index/postings.ts', FACE],
  ['lib/selectors/nodes/a5.ts', '../algebra/simplify.ts', FACE],
  ['lib/store/a6.ts', './list/leapfrog.ts', FACE],
  ['functions/a7.ts', '../lib/store/dynamodb/dynamo-table.ts', FACE],
  ['functions/a8.ts', './http/serve.ts', FACE],
  ['functions/http/a9.ts', '../../lib/api/http/index.ts', FACE],
  ['infra/a10.ts', './constructs/alarms.ts', FACE],
  ['infra/local/a11.ts', '../bundle/files.ts', FACE],
  ['cli/a12.ts', './doctor/examine.ts', FACE],
  ['cli/doctor/a13.ts', '../kubeconfig/command.ts', FACE],
  ['cli/start/a14.ts', '../../infra/local/start-local.ts', FACE],
  // Upwards.
  [
    'lib/selectors/b1.ts',
    '../store/index.ts',
    'lib/selectors, lib/platform and lib/quantities import nothing',
  ],
  ['lib/selectors/nodes/b2.ts', '../../platform/index.ts', 'lib/selectors imports nothing'],
  [
    'lib/platform/b3.ts',
    '../selectors/index.ts',
    'lib/selectors, lib/platform and lib/quantities import nothing',
  ],
  [
    'lib/quantities/b31.ts',
    '../selectors/index.ts',
    'lib/selectors, lib/platform and lib/quantities import nothing',
  ],
  ['lib/placement/b32.ts', '../store/index.ts', 'lib/placement imports only'],
  ['lib/placement/rules/b33.ts', '../../platform/index.ts', 'lib/placement imports only'],
  ['lib/placement/rules/topology-spread/b34.ts', '../../../api/index.ts', 'lib/placement imports only'],
  [
    'lib/reachability/b35.ts',
    '../quantities/index.ts',
    'lib/reachability, lib/rbac and lib/derived import only',
  ],
  ['lib/rbac/b36.ts', '../api/index.ts', 'lib/reachability, lib/rbac and lib/derived import only'],
  ['lib/derived/b37.ts', '../store/index.ts', 'lib/reachability, lib/rbac and lib/derived import only'],
  [
    'lib/endpoints/b38.ts',
    '../selectors/index.ts',
    'lib/endpoints, lib/audit and lib/guarded-settings import nothing',
  ],
  ['lib/guarded-settings/b50.ts', '../platform/index.ts', 'lib/guarded-settings import nothing'],
  [
    'lib/audit/b40.ts',
    '../rbac/index.ts',
    'lib/endpoints, lib/audit and lib/guarded-settings import nothing',
  ],
  ['lib/api/auditing/b41.ts', '../verbs/index.ts', 'lib/api/auditing imports only'],
  ['lib/store/b4.ts', '../watch/index.ts', 'lib/store imports only'],
  ['lib/store/list/b5.ts', '../../api/index.ts', 'lib/store imports only'],
  ['lib/store/dynamodb/b6.ts', '../../watch/index.ts', 'The adapter of lib/store'],
  ['lib/watch/b7.ts', '../api/index.ts', 'lib/watch imports only'],
  ['lib/watch/sqs/b8.ts', '../../api/index.ts', 'The adapter of lib/watch'],
  ['lib/client/b27.ts', '../store/index.ts', 'lib/client imports the SQS client'],
  ['lib/client/http/b28.ts', '../../selectors/index.ts', 'lib/client imports nothing'],
  ['lib/login/b9.ts', '../store/index.ts', 'lib/login imports only'],
  ['lib/oidc/b9.ts', '../store/index.ts', 'lib/oidc imports only'],
  ['lib/api/b10.ts', '../../functions/index.ts', 'lib/api imports only'],
  ['lib/api/http/b11.ts', '../verbs/index.ts', 'lib/api/http imports only'],
  ['lib/api/encodings/b21.ts', '../http/index.ts', 'lib/api/encodings imports only'],
  ['lib/api/objects/b12.ts', '../show/index.ts', 'lib/api/objects imports only'],
  ['lib/api/resource-types/b13.ts', '../status/index.ts', 'lib/api/resource-types imports only'],
  ['lib/api/carriers/b29.ts', '../objects/index.ts', 'lib/api/carriers imports only'],
  ['lib/api/columns/b42.ts', '../http/index.ts', 'lib/api/columns imports only'],
  ['lib/api/patch/b14.ts', '../http/index.ts', 'lib/api/patch imports only'],
  ['lib/api/schemas/b21.ts', '../objects/index.ts', 'lib/api/schemas imports only'],
  ['lib/api/schemas/cel/b22.ts', '../../status/index.ts', 'lib/api/schemas imports only'],
  ['lib/api/access/b38.ts', '../verbs/index.ts', 'lib/api/access imports only'],
  ['lib/api/scoped/b43.ts', '../verbs/index.ts', 'lib/api/scoped imports only'],
  ['lib/api/registry/b25.ts', '../verbs/index.ts', 'lib/api/registry imports only'],
  ['lib/api/apply/b23.ts', '../objects/index.ts', 'lib/api/apply imports only'],
  ['lib/api/defaults/b24.ts', '../objects/index.ts', 'lib/api/defaults imports only'],
  ['lib/api/field-errors/b25.ts', '../schemas/index.ts', 'lib/api/field-errors imports only'],
  ['lib/api/admission/b30.ts', '../verbs/index.ts', 'lib/api/admission imports only'],
  ['lib/api/assignment/b36.ts', '../objects/index.ts', 'lib/api/assignment imports only'],
  ['lib/budget/b47.ts', '../watch/index.ts', 'lib/budget imports only'],
  ['lib/api/b38.ts', '../binding/index.ts', 'lib/api imports only'],
  ['lib/binding/b37.ts', '../../functions/index.ts', 'lib/binding imports only'],
  ['lib/canary/b43.ts', '../binding/index.ts', 'lib/canary imports only'],
  ['lib/world-snapshots/b42.ts', '../binding/index.ts', 'lib/world-snapshots imports only'],
  ['lib/api/placing/b35.ts', '../verbs/index.ts', 'lib/api/placing imports only'],
  ['lib/api/restore/b36.ts', '../verbs/index.ts', 'lib/api/restore imports only'],
  ['lib/api/validation/b26.ts', '../objects/index.ts', 'lib/api/validation imports only'],
  ['functions/b15.ts', '../infra/local/index.ts', 'functions/ imports lib/ only'],
  ['infra/b16.ts', '../lib/store/index.ts', 'The CDK app takes names'],
  ['infra/settings/b51.ts', '../../lib/api/index.ts', 'The CDK app takes names'],
  ['infra/constructs/b17.ts', '../../lib/api/index.ts', 'The CDK app takes names'],
  ['infra/cdk/b29.ts', '../../lib/watch/index.ts', 'The CDK app takes names'],
  ['infra/local/b18.ts', '../../cli/doctor/index.ts', 'infra/local runs what is deployed'],
  ['cli/b19.ts', '../functions/http/index.ts', 'cli/ imports lib/'],
  ['lib/store/b20.ts', '../../test/support/store/table.ts', 'lib/store imports only'],
  // Services and frameworks outside the rooms that know them.
  ['lib/store/c1.ts', '@aws-sdk/client-dynamodb', 'lib/store imports only'],
  ['lib/store/c2.ts', './dynamodb/index.ts', 'lib/store imports only'],
  ['lib/watch/c3.ts', '@aws-sdk/client-sqs', 'lib/watch imports only'],
  ['lib/api/verbs/c4.ts', '@aws-sdk/client-dynamodb', 'lib/api/verbs imports only'],
  ['lib/api/c5.ts', '@middy/core', 'lib/api imports only'],
  ['lib/client/c7.ts', '@aws-sdk/client-dynamodb', 'lib/client imports the SQS client'],
  ['lib/client/sqlite/c8.ts', '@aws-sdk/client-sqs', 'lib/client imports nothing'],
  ['functions/c6.ts', 'aws-cdk-lib', 'functions/ imports lib/ only'],
];

const ALLOWED: readonly Import[] = [
  ['lib/store/d1.ts', '../selectors/index.ts'],
  ['lib/store/list/d2.ts', '../table.ts'],
  ['lib/store/dynamodb/d3.ts', '@aws-sdk/client-dynamodb'],
  ['lib/placement/d15.ts', '../selectors/index.ts'],
  ['lib/placement/world/d16.ts', '../../quantities/index.ts'],
  ['lib/placement/rules/topology-spread/d17.ts', '../../../selectors/index.ts'],
  ['lib/reachability/d19.ts', '../selectors/index.ts'],
  ['lib/rbac/d20.ts', '../selectors/index.ts'],
  ['lib/derived/d21.ts', '../selectors/index.ts'],
  ['lib/api/fields/d18.ts', '../../quantities/index.ts'],
  ['lib/api/schemas/d10.ts', '../fields/index.ts'],
  ['lib/api/validation/d11.ts', '../field-errors/index.ts'],
  ['lib/api/verbs/d4.ts', '../http/index.ts'],
  ['lib/api/verbs/d5.ts', '../../store/index.ts'],
  ['lib/client/d12.ts', '@aws-sdk/client-sqs'],
  ['lib/client/dynamodb/d13.ts', '../store.ts'],
  ['functions/d6.ts', '../lib/store/dynamodb/index.ts'],
  ['infra/d7.ts', '../lib/platform/index.ts'],
  ['infra/local/d8.ts', '../../lib/login/index.ts'],
  ['infra/cdk/d14.ts', '../constructs/index.ts'],
  ['cli/start/d9.ts', '../../infra/local/index.ts'],
];

const fileOf = ([path, specifier]: Import | Refused) => ({
  path,
  text: `import { x } from '${specifier}';\n\nconsole.log(x);\n`,
});

const CYCLE = [
  { path: 'lib/store/e1.ts', text: "import { b } from './e2.ts';\n\nexport const a = () => b();\n" },
  { path: 'lib/store/e2.ts', text: "import { a } from './e1.ts';\n\nexport const b = () => a();\n" },
];

describe('the import rules', () => {
  let found: Map<string, string>;
  beforeAll(async () => {
    found = await lint([...[...FORBIDDEN, ...ALLOWED].map(fileOf), ...CYCLE]);
  });

  it.each(FORBIDDEN)('refuse in %s: %s', (path, _specifier, says) => {
    expect(found.get(path) ?? '').toContain(says);
  });

  it.each(ALLOWED)('allow in %s: %s', (path) => {
    expect(found.get(path)).toBeUndefined();
  });

  it('refuse files that import each other in a circle', () => {
    expect(CYCLE.map(({ path }) => found.get(path))).toEqual([
      expect.stringContaining('noImportCycles'),
      expect.stringContaining('noImportCycles'),
    ]);
  });
});
