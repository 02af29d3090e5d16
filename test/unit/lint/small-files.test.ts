import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TREES } from '../../lint/architecture/architecture.ts';
import { filesIn, ROOT } from '../../lint/architecture/files-in.ts';
import { smallFiles } from '../../lint/architecture/small-files.ts';
import { parseSourceFile, readSourceFile } from '../../lint/architecture/source-file.ts';

/** Small files that stay apart from their importer, in their folder, by the reason. */
const APART: Readonly<Record<string, readonly string[]>> = {
  'Each part of the page is a file; the importer places it.': [
    'console/explore/copy-as.ts',
    'console/shell/gate.tsx',
    'console/shell/help.tsx',
  ],
  'Each step of the doctor is a file; the importer lists them.': [
    'cli/doctor/steps/create-namespace.ts',
    'cli/doctor/steps/discover.ts',
    'cli/doctor/steps/log-in.ts',
    'cli/doctor/steps/reach.ts',
    'cli/doctor/steps/write.ts',
  ],
  'The columns of each family of kinds are a file; the importer lists them.': [
    'lib/kubernetes/columns/core/claims.ts',
    'lib/kubernetes/columns/core/endpoints.ts',
    'lib/kubernetes/columns/core/events.ts',
    'lib/kubernetes/columns/core/limits.ts',
    'lib/kubernetes/columns/core/services.ts',
    'lib/kubernetes/columns/core/volumes.ts',
  ],
  'The defaults of each API group are a file; the importer lists them.': [
    'lib/kubernetes/defaults/autoscaling.ts',
    'lib/kubernetes/defaults/batch.ts',
    'lib/kubernetes/defaults/network.ts',
  ],
  'The derived status of each kind is a file; the importer chooses one by the kind.': [
    'lib/kubernetes/derived/replica-set-status.ts',
  ],
  'Each family of kinds is a file; the importer lists them.': [
    'lib/kubernetes/resource-types/core/bindings.ts',
    'lib/kubernetes/resource-types/core/claims.ts',
    'lib/kubernetes/resource-types/core/endpoints.ts',
    'lib/kubernetes/resource-types/core/events.ts',
    'lib/kubernetes/resource-types/core/limits.ts',
    'lib/kubernetes/resource-types/core/nodes.ts',
    'lib/kubernetes/resource-types/core/pods.ts',
    'lib/kubernetes/resource-types/core/services.ts',
    'lib/kubernetes/resource-types/core/volumes.ts',
    'lib/kubernetes/resource-types/groups/access-grants.ts',
    'lib/kubernetes/resource-types/groups/history.ts',
    'lib/kubernetes/resource-types/groups/reachability-review.ts',
    'lib/kubernetes/resource-types/groups/selection-review.ts',
  ],
  'The validation of each family of kinds is a file; the importer lists them.': [
    'lib/kubernetes/validation/access-grants.ts',
  ],
  "Each of kube-scheduler's rules is a file; the importer lists them.": [
    'lib/placement/rules/node-name.ts',
    'lib/placement/rules/node-ports.ts',
    'lib/placement/rules/node-unschedulable.ts',
    'lib/placement/rules/taint-toleration.ts',
  ],
  'It is a data structure, and the importer an algorithm that uses it.': [
    'lib/placement/world/by-namespace.ts',
    'lib/placement/world/images.ts',
    'lib/selectors/compiled/postings.ts',
  ],
  'The rules of each kind are a file; the importer lists them.': [
    'lib/server/objects/rules/custom-rules.ts',
    'lib/server/objects/rules/daemon-set-rules.ts',
    'lib/server/objects/rules/protected-rules.ts',
    'lib/server/objects/rules/secret-rules.ts',
    'lib/server/objects/rules/tally-rules.ts',
  ],
  'It prints any rows; the importer says what the plan of a LIST contains.': [
    'lib/server/show/aligned-rows.ts',
  ],
  'Each verb is a file; the importer lists them.': ['lib/server/verbs/get-object.ts'],
};

function foundIn(...files: readonly (readonly [path: string, source: string])[]): readonly string[] {
  const isTest = ([path]: readonly [string, string]) => path.startsWith('test/');
  const code = files.filter((file) => !isTest(file)).map(([path, source]) => parseSourceFile(path, source));
  const tests = files.filter(isTest).map(([path, source]) => ({ path, source }));
  return [...smallFiles(code, tests).keys()];
}

const LINE = '// A line.\n';
const IMPORT = "import { x } from './small.ts';\n";
const SMALL = ['lib/store/small.ts', LINE.repeat(40)] as const;
const IMPORTER = ['lib/store/list.ts', IMPORT + LINE.repeat(158)] as const;

describe('The small files of the code', () => {
  it('Each small file has a reason to be apart from its importer, or is listed here', async () => {
    const [code, tests] = [await filesIn(...TREES), await filesIn('test')];
    const found = smallFiles(
      await Promise.all(code.map((path) => readSourceFile(ROOT, path))),
      await Promise.all(
        tests.map(async (path) => ({ path, source: await readFile(join(ROOT, path), 'utf8') })),
      ),
    );
    expect([...found.keys()].sort()).toEqual(Object.values(APART).flat().sort());
    expect(code.length).toBeGreaterThan(1_000);
  });
});

describe('The check of small files', () => {
  it('The check finds a file of 40 lines whose only importer has fewer than 160', () => {
    expect(foundIn(SMALL, IMPORTER)).toEqual([SMALL[0]]);
  });

  it.each([
    ["import type { X } from './small.ts';"],
    ["type X = import('./small.ts').X;"],
    ["export { x } from './small.ts';"],
  ])('The check finds a file whose only importer has: %s', (source) => {
    expect(foundIn(SMALL, ['lib/store/list.ts', source])).toEqual([SMALL[0]]);
  });

  it.each([
    [
      'has more than 40 lines',
      [
        [SMALL[0], LINE.repeat(41)],
        ['lib/store/list.ts', IMPORT],
      ],
    ],
    ['has 200 lines together with its importer', [SMALL, ['lib/store/list.ts', IMPORT + LINE.repeat(159)]]],
    ['has two importers', [SMALL, IMPORTER, ['lib/store/other.ts', IMPORT]]],
    ['has no importer', [SMALL]],
    [
      'has its importer in another folder',
      [SMALL, ['lib/store/list/a.ts', "import { x } from '../small.ts';"]],
    ],
    ['is loaded on demand', [SMALL, ['lib/store/a.ts', "const load = () => import('./small.ts');"]]],
    ['is public', [SMALL, ['lib/store/index.ts', "export { x } from './small.ts';"]]],
    ['has a test of its path', [SMALL, IMPORTER, ['test/unit/store/small.test.ts', '']]],
    ['has a long test of its path', [SMALL, IMPORTER, ['test/unit/store/small.long.test.ts', '']]],
    [
      'is imported by a test',
      [SMALL, IMPORTER, ['test/unit/a.test.ts', "import { x } from '../../lib/store/small.ts';"]],
    ],
  ] as const)('The check allows a file that %s', (_, files) => {
    expect(foundIn(...files)).toEqual([]);
  });
});
