import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
/** Where verdicts and coverage are kept between runs. */
export const KEPT = join(ROOT, 'dist/mutants');

/** The rooms and folders of lib whose mutants are tried. */
const ROOMS = [
  'json',
  'kubernetes/lifecycle',
  'kubernetes/winnow',
  'store',
  'coordination',
  'delivery',
  'controllers',
];
const MUTATED = new RegExp(`^lib/(${ROOMS.join('|')})/.*[.]ts$`);

/** The file's path from the project's root, where it is one whose mutants are tried. */
export function mutatedFile(path: string): string | undefined {
  const file = relative(ROOT, path);
  return MUTATED.test(file) ? file : undefined;
}

/** All of them, in the order of their names. */
export async function mutatedFiles(): Promise<string[]> {
  const files: string[] = [];
  const patterns = ROOMS.map((room) => `lib/${room}/**/*.ts`);
  for await (const file of glob(patterns, { cwd: ROOT })) files.push(file);
  return files.sort();
}

export function sourceOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
