import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import * as source from '../../../lib/selectors/index.ts';
import { type Example, readExamples } from '../../support/examples.ts';
import {
  type InstalledPackage,
  installPackage,
  type Program,
  runProgram,
} from '../../support/service/installed-package.ts';
import { isPublishedWhole } from './published-package.ts';

const FOLDER = 'lib/selectors';
const KIB = 1024;

const manifest = JSON.parse(readFileSync(join(root, FOLDER, 'package.json'), 'utf8'));

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(FOLDER);
});

afterAll(() => installed?.remove());

describe('the published package @winnow-dev/selectors', () => {
  isPublishedWhole({
    folder: FOLDER,
    name: manifest.name,
    mostBytes: 300 * KIB,
    leastModules: 50,
    installed: () => installed,
  });

  it('the package exports the names of lib/selectors', async () => {
    const [program] = await installed.compile([
      programOf(`import * as face from '${manifest.name}';\nconsole.log(Object.keys(face).join());`),
    ]);
    expect(await printed(program)).toEqual([Object.keys(source).join()]);
  });

  it('the package allows only imports of its public interface', async () => {
    const deep = programOf(`import { quote } from '${manifest.name}/dist/quote.js';\nquote('');`);
    await expect(installed.compile([deep])).rejects.toThrow('Cannot find module');
  });
});

describe.each(['docs/selectors.md', 'lib/selectors/README.md'])('the examples of %s', (page) => {
  const examples = readExamples(join(root, page));
  let programs: readonly Program[] = [];

  it('the examples agree with the types of the package', async () => {
    programs = await installed.compile(examples);
  });

  it.each(examples)('the example prints its comments ($title)', async ({ title, prints }) => {
    expect(await printed(programs.find((program) => program.title === title))).toEqual(prints);
  });

  it('the examples import the package by its name', () => {
    for (const { code } of examples) expect(code).toContain(` from '${manifest.name}';`);
  });
});

function programOf(code: string): Example {
  return { title: '', code, prints: [] };
}

async function printed(program: Program | undefined): Promise<string[]> {
  if (program === undefined) throw new Error('the program was not compiled');
  const { code, out, errors } = await runProgram(program);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return out.trimEnd().split('\n');
}
