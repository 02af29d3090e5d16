import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'seeds.json');

export type Seeds = Readonly<Record<string, number>>;

/** The seed that shows each mutation, by its name. */
export async function recordedSeeds(): Promise<Seeds> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

/** Records seeds that were found, beside those recorded already. */
export async function recordSeeds(found: Seeds): Promise<void> {
  const seeds = Object.entries({ ...(await recordedSeeds()), ...found }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  await writeFile(FILE, `${JSON.stringify(Object.fromEntries(seeds), null, 2)}\n`);
}
