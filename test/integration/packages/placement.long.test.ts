import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { type Example, readExamples } from '../../support/examples.ts';
import {
  type InstalledPackage,
  installPackage,
  type Program,
  runProgram,
} from '../../support/service/installed-package.ts';
import { isPublishedWhole } from './published-package.ts';

const FOLDER = 'lib/placement';
const NAME = '@winnow-dev/placement';
const KIB = 1024;

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(FOLDER);
});

afterAll(() => installed?.remove());

describe('the published package @winnow-dev/placement', () => {
  isPublishedWhole({
    folder: FOLDER,
    name: NAME,
    mostBytes: 450 * KIB,
    leastModules: 100,
    installed: () => installed,
    carries: ['lib/selectors', 'lib/quantities'],
  });

  it('the package allows only imports of its public interface', async () => {
    const code = `import { fromLabels } from '${NAME}/dist/selectors/index.js';\nfromLabels({});`;
    await expect(installed.compile([{ title: '', code, prints: [] }])).rejects.toThrow('Cannot find module');
  });
});

describe.each(['docs/placement.md', 'lib/placement/README.md'])('the examples of %s', (page) => {
  const examples = readExamples(join(root, page));
  let programs: readonly Program[] = [];

  beforeAll(async () => {
    programs = await installed.compile(examples);
  });

  it.each(examples.map((example, index) => ({ ...example, index })))(
    'an example prints the output in its comments ($title)',
    async ({ index, prints }: Example & { index: number }) => {
      const { code, out, errors } = await runProgram(programs[index] as Program);
      expect({ code, errors, out: out.trimEnd().split('\n') }).toEqual({ code: 0, errors: '', out: prints });
    },
  );

  it('the examples import the package by its name', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { code } of examples) expect(code).toContain(` from '${NAME}';`);
  });
});
