import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import MagicString from 'magic-string';
import type { Mutant } from './mutant.ts';
import { mutantsOf } from './mutants-of.ts';
import { ROOT, sourceOf } from './targets.ts';

/** The one rule that sees an ordering: it knows types, and so takes what is not awaited for what it is. */
const LINT = [
  'biome',
  'lint',
  '--only=nursery/noFloatingPromises',
  '--vcs-enabled=false', // the copy is no clone
  '--max-diagnostics=none',
  'lib',
];
/** The cheap one first. */
const TOOLS = [
  { by: 'the lint', command: LINT },
  { by: 'the type check', command: ['tsc', '--pretty', 'false'] },
];
/** How each tool ends what it says, or complains of a file: what says neither could not run. */
const RAN = /^$|\.ts\(\d+,\d+\): error|^Checked \d+ files/m;
/** What the two read. */
const PARTS = ['lib', 'functions', 'infra', 'cli', 'test', 'biome.jsonc', 'tsconfig.json', 'package.json'];

/**
 * Which of these mutants the type check or the lint refuse, and which of the two: nobody could commit them. They are
 * tried in a copy of the project, one of each file at a time.
 */
export async function refusedMutants(mutants: readonly Mutant[]): Promise<Map<Mutant, string>> {
  const refused = new Map<Mutant, string>();
  const copy = await mkdtemp(join(tmpdir(), 'winnow-mutants-'));
  try {
    for (const part of PARTS) {
      await cp(join(ROOT, part), join(copy, part), { recursive: true }).catch(() => {});
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const { by, command } of TOOLS) {
      for (const batch of batches(mutants.filter((one) => !refused.has(one)))) {
        for (const mutant of batch) await writeFile(join(copy, mutant.file), mutated(mutant));
        const told = await complaints(copy, command);
        for (const mutant of batch) {
          if (told.includes(mutant.file)) refused.set(mutant, by);
          await writeFile(join(copy, mutant.file), sourceOf(mutant.file));
        }
      }
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  return refused;
}

function batches(mutants: readonly Mutant[]): Mutant[][] {
  const files = [...Map.groupBy(mutants, ({ file }) => file).values()];
  const most = Math.max(0, ...files.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => files.flatMap((ofFile) => ofFile[at] ?? []));
}

/** The file with the mutant in place of what was there, and nothing else. */
function mutated({ id, file }: Mutant): string {
  const source = sourceOf(file);
  const text = new MagicString(source);
  for (const { start, end, changes, mutants } of mutantsOf(file, source)) {
    const change = changes[mutants.findIndex((one) => one.id === id)];
    if (change !== undefined) text.update(start, end, change.text);
  }
  return text.toString();
}

/**
 * What a tool says of the files in the copy.
 *
 * @throws {Error} it could not run.
 */
async function complaints(cwd: string, [tool = '', ...args]: readonly string[]): Promise<string> {
  const path = join(ROOT, 'node_modules/.bin', tool);
  const options = { cwd, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 2 ** 26 };
  const told = await promisify(execFile)(path, args, options).catch((error) => error);
  if (!RAN.test(told.stdout)) throw new Error(`${tool} could not run: ${told.stdout}${told.stderr}`);
  return `${told.stdout}${told.stderr}`;
}
