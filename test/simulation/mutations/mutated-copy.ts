import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Mutation } from './mutation.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COPIES = join(ROOT, 'dist/mutations');
/** What a run consists of, from the project's root. */
const PARTS = [
  'lib',
  'functions/sqs-batch.ts',
  'test/simulation',
  'test/bench/inputs/random.ts',
  'test/support/service/admin.ts',
  'test/support/store/memory-table.ts',
  'test/support/watch/misnumbered.ts',
];

/**
 * A copy of the simulation and of the code under test, without the mutation's mechanism. Answers the copy's folder.
 *
 * @throws where `editedFiles` throws
 */
export async function mutatedCopy(mutation: Mutation): Promise<string> {
  const edited = await editedFiles(mutation);
  const copy = join(COPIES, mutation.name);
  await rm(copy, { recursive: true, force: true });
  for (const part of PARTS) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(ROOT, part), join(copy, part), { recursive: true, filter: isSource });
  }
  for (const [file, text] of edited) await writeFile(join(copy, file), text);
  return copy;
}

/**
 * The files that a mutation changes, by their path from the project's root, with their mutated text.
 *
 * @throws where the text to replace does not occur exactly once: the code has changed, and the mutation has to follow
 */
export async function editedFiles({ edits }: Mutation): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const text = files.get(file) ?? (await readFile(join(ROOT, file), 'utf8'));
    const places = text.split(find).length - 1;
    if (places !== 1) throw new Error(`${file} has ${places} places that say: ${find}`);
    files.set(
      file,
      text.replace(find, () => replace),
    );
  }
  return files;
}

/** What a package is built into may be built anew while it is copied, and nothing that is copied runs it. */
function isSource(path: string): boolean {
  return basename(path) !== 'dist';
}
