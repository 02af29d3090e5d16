import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Architecture, TREES, violationsOf } from '../../lint/architecture/architecture.ts';
import { filesIn, ROOT } from '../../lint/architecture/files-in.ts';
import { parseSourceFile, readSourceFile } from '../../lint/architecture/source-file.ts';

const architecture: Architecture = JSON.parse(await readFile(join(ROOT, 'architecture.json'), 'utf8'));

/** A house of three rooms, as input for the check. */
const SMALL: Architecture = {
  rooms: {
    'lib/ground': [],
    'lib/store': ['ground'],
    'lib/types': ['ground'],
    'lib/server': ['ground', 'store', 'types'],
    cli: ['lib/*'],
  },
  'entered-by-sub-room': ['lib/types'],
  'extra-faces': ['lib/store/dynamodb'],
  pure: ['lib/types'],
  'clock-allowed': ['cli'],
  modules: { '@aws-sdk/*': ['lib/store/dynamodb'], commander: ['cli'] },
};

function found(
  path: string,
  source: string,
  ...others: readonly (readonly [string, string])[]
): readonly string[] {
  const files = [[path, source] as const, ...others];
  return violationsOf(
    SMALL,
    files.map(([name, text]) => parseSourceFile(name, text)),
  );
}

describe('The code', () => {
  it('The code has the layout of architecture.json', async () => {
    const paths = await filesIn(...TREES);
    const files = await Promise.all(paths.map((path) => readSourceFile(ROOT, path)));
    expect(violationsOf(architecture, files)).toEqual([]);
    expect(files.length).toBeGreaterThan(1_000);
  });

  it('The code fills every room of architecture.json', async () => {
    const paths = await filesIn(...TREES);
    const folders = [...Object.keys(architecture.rooms), ...architecture['extra-faces']];
    expect(
      folders.filter((folder) => !paths.some((path) => path === folder || path.startsWith(`${folder}/`))),
    ).toEqual([]);
  });
});

describe('The check of the layout', () => {
  it.each([
    ['lib/other/a.ts', '', 'is in no room'],
    ['lib/store/a.ts', "import { x } from '../server/index.ts';", 'lib/store may not import lib/server'],
    [
      'lib/store/list/a.ts',
      "import type { X } from '../../server/index.ts';",
      'lib/store may not import lib/server',
    ],
    ['lib/store/a.ts', "type X = import('../server/index.ts').X;", 'lib/store may not import lib/server'],
    [
      'lib/store/a.ts',
      "const load = () => import('../server/index.ts');",
      'lib/store may not import lib/server',
    ],
    ['lib/store/a.ts', "export { x } from '../server/index.ts';", 'lib/store may not import lib/server'],
    ['lib/store/a.ts', "import { x } from '../../test/support/x.ts';", 'in no room'],
    ['lib/server/a.ts', "import { x } from '../store/journal.ts';", "import the folder's index.ts"],
    ['lib/server/a.ts', "import { x } from '../store/list/index.ts';", "import the folder's index.ts"],
    ['lib/server/verbs/a.ts', "import { x } from '../http/route.ts';", "import the folder's index.ts"],
    ['lib/server/a.ts', "import { x } from '../types/patch/deep/index.ts';", "import the folder's index.ts"],
    ['lib/store/a.ts', "import { x } from '@aws-sdk/client-dynamodb';", 'only lib/store/dynamodb may'],
    ['cli/a.ts', "import { x } from 'left-pad';", 'does not list the package'],
    ['lib/types/a.ts', "import { x } from 'node:fs/promises';", 'lib/types is pure'],
    ['lib/server/a.ts', "import { x } from 'node:timers/promises';", 'gets time as an argument'],
    ['lib/server/a.ts', 'const now = Date.now();', 'uses Date.now()'],
    ['lib/server/a.ts', 'const now = new Date();', 'uses new Date()'],
    ['lib/server/a.ts', 'const x = Math.random();', 'uses Math.random()'],
    ['lib/server/a.ts', 'const x = randomBytes(8);', 'uses randomBytes()'],
    ['lib/server/a.ts', 'setTimeout(() => undefined, 1);', 'uses setTimeout'],
    ['lib/server/a.ts', 'const x = process.env.X;', 'uses process'],
    ['lib/server/a.ts', 'const x = { fetch };', 'uses fetch'],
  ])('The check refuses in %s: %s', (path, source, says) => {
    expect(found(path, source)).toEqual([expect.stringContaining(says)]);
  });

  it.each([
    ['lib/server/a.ts', "import { x } from '../store/index.ts';"],
    ['lib/server/a.ts', "import { x } from '../types/patch/index.ts';"],
    ['lib/server/verbs/a.ts', "import { x } from '../http/index.ts';"],
    ['lib/server/verbs/deep/a.ts', "import { x } from '../shared.ts';"],
    ['lib/store/dynamodb/a.ts', "import { x } from '@aws-sdk/client-dynamodb';"],
    ['cli/a.ts', "import { x } from '../lib/store/dynamodb/index.ts';"],
    ['cli/a.ts', "import { x } from 'commander';"],
    ['cli/a.ts', 'const now = Date.now();'],
    ['lib/types/a.ts', "import { createHash } from 'node:crypto';"],
    ['lib/server/a.ts', 'const at = new Date(now);'],
    ['lib/server/a.ts', 'class A { #fetch = 1; get() { return this.#fetch + this.x.process; } }'],
    ['lib/server/a.ts', 'interface A { fetch(): void }'],
  ])('The check allows in %s: %s', (path, source) => {
    expect(found(path, source)).toEqual([]);
  });

  it('The check finds rooms that import each other', () => {
    const circle: Architecture = { ...SMALL, rooms: { ...SMALL.rooms, 'lib/ground': ['store'] } };
    const files = [
      parseSourceFile('lib/ground/a.ts', "import { x } from '../store/index.ts';"),
      parseSourceFile('lib/store/index.ts', "import type { Y } from '../ground/index.ts';"),
    ];
    expect(violationsOf(circle, files)).toEqual([
      'rooms import each other: lib/ground -> lib/store -> lib/ground',
    ]);
  });

  it('The check finds folders of a room that import each other through a third one', () => {
    const other = [
      ['lib/server/http/b.ts', "import { x } from '../show/index.ts';"],
      ['lib/server/show/c.ts', "import { x } from '../verbs/index.ts';"],
    ] as const;
    expect(found('lib/server/verbs/a.ts', "import { x } from '../http/index.ts';", ...other)).toEqual([
      'folders import each other: lib/server/verbs -> lib/server/http -> lib/server/show -> lib/server/verbs',
    ]);
  });

  it('The check ignores files directly in a room, which connect its folders', () => {
    const other = [['lib/server/tie.ts', "import { x } from './verbs/index.ts';"]] as const;
    expect(found('lib/server/verbs/a.ts', "import type { X } from '../tie.ts';", ...other)).toEqual([]);
  });
});
