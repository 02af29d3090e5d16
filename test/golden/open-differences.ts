import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IntendedDifference, intendedDifferences } from './intended-differences.ts';
import type { RecordingName } from './recording.ts';
import type { Replayed } from './replay.ts';

/** The list of known differences. The file does not exist while there are none. */
const FILE = new URL('open-differences.txt', import.meta.url);

/**
 * The differences that are not intended: a line for each case, with the aspects in which it differs. `also` adds
 * intended differences to those of the recordings.
 */
export function openDifferences(
  name: string,
  replayed: readonly Replayed[],
  also: readonly IntendedDifference[] = [],
): string[] {
  return replayed.flatMap((one) => {
    const aspects = openAspects(one, also);
    const { n, case: title } = one.recorded;
    return aspects.length === 0 ? [] : [`${name} ${n} ${aspects.join(',')} | ${title}`];
  });
}

/** The aspects in which a case differs without intent. */
export function openAspects(one: Replayed, also: readonly IntendedDifference[] = []): string[] {
  const aspects = Object.keys(one.differences);
  if (aspects.length === 0) return [];
  const explained: readonly string[] = [...intendedDifferences, ...also].flatMap((intended) =>
    intended.explains(one),
  );
  return aspects.filter((aspect) => !explained.includes(aspect));
}

/** The known differences of a recording. */
export function knownDifferences(name: RecordingName): string[] {
  return allKnown().filter((line) => line.startsWith(`${name} `));
}

export function writeKnown(lines: readonly string[]): void {
  if (lines.length === 0) {
    rmSync(FILE, { force: true });
  } else {
    writeFileSync(FILE, lines.map((line) => `${line}\n`).join(''));
  }
}

function allKnown(): string[] {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [];
}
