import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { readExamples } from '../../support/examples.ts';
import {
  type InstalledPackage,
  installPackage,
  type Program,
  runProgram,
} from '../../support/service/installed-package.ts';
import { run } from '../../support/service/run-cli.ts';

/** The last version of each Node line that `engines` allows, from npm (100 MB each). */
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
/** The last compiler version before the one that is pinned here. */
const OLDER_COMPILER = '5.9.3';

const examples = ['docs/selectors.md', 'lib/selectors/README.md'].flatMap((page) =>
  readExamples(join(root, page)),
);

let installed: InstalledPackage;
let programs: readonly Program[];

beforeAll(async () => {
  installed = await installPackage('lib/selectors');
  const nodes = NODES.map((version) => `node-${version}@npm:node@${version}`);
  await installed.install(...nodes, `typescript@${OLDER_COMPILER}`);
  programs = await installed.compile(examples);
});

afterAll(() => installed?.remove());

describe('@winnow-dev/selectors, installed into an empty project', () => {
  it.each(NODES)('the package runs every example under Node %s', async (version) => {
    const node = join(installed.project, 'node_modules', `node-${version}`, 'bin/node');
    expect((await run(node, ['--version'])).out.trim()).toBe(`v${version}`);
    expect(programs.length).toBeGreaterThan(5);
    for (const program of programs) {
      const { out, errors } = await runProgram(program, node);
      expect({ errors, printed: out.trimEnd().split('\n') }).toEqual({ errors: '', printed: program.prints });
    }
  });

  it(`the package is type-checked by TypeScript ${OLDER_COMPILER} as well`, async () => {
    const compiler = join(installed.project, 'node_modules/typescript/bin/tsc');
    await expect(installed.compile(examples, compiler)).resolves.toHaveLength(examples.length);
  });
});
