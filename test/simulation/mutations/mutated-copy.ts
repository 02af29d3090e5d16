import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Edit, Mutation } from './mutation.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COPIES = join(ROOT, 'dist/mutations');
/** What a run consists of, from the project's root. */
const PARTS = [
  'lib',
  'functions/retry-pause.ts',
  'functions/sqs-batch.ts',
  'test/simulation',
  'test/bench/inputs/random.ts',
  'test/support/service/admin.ts',
  'test/support/store/memory-table.ts',
  'test/support/watch/misnumbered.ts',
];

/**
 * Copies the simulation and the code under test, without the mutation's mechanism. Answers the copy's folder.
 *
 * @throws where what is to be replaced does not occur exactly once: the code has changed, and the table has to.
 */
export async function mutatedCopy(mutation: Mutation): Promise<string> {
  const copy = join(COPIES, mutation.name);
  await rm(copy, { recursive: true, force: true });
  for (const part of PARTS) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(ROOT, part), join(copy, part), { recursive: true, filter: isSource });
  }
  for (const edit of mutation.edits) await apply(copy, edit);
  return copy;
}

/** What a package is built into may be built anew while it is copied, and nothing that is copied runs it. */
function isSource(path: string): boolean {
  return basename(path) !== 'dist';
}

async function apply(copy: string, { file, find, replace }: Edit): Promise<void> {
  const path = join(copy, file);
  const text = await readFile(path, 'utf8');
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places that say: ${find}`);
  await writeFile(
    path,
    text.replace(find, () => replace),
  );
}
