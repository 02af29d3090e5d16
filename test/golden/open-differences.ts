import { readFileSync, writeFileSync } from 'node:fs';
import { intendedDifferences } from './intended-differences.ts';
import type { RecordingName } from './recording.ts';
import type { Replayed } from './replay.ts';

const FILE = new URL('open-differences.txt', import.meta.url);

/** What differs and is not intended: a line for each case, with the aspects in which it differs. */
export function openDifferences(name: RecordingName, replayed: readonly Replayed[]): string[] {
  return replayed
    .filter((one) => Object.keys(one.differences).length > 0 && !isIntended(one))
    .map(({ recorded, differences }) => {
      const aspects = Object.keys(differences).join(',');
      return `${name} ${recorded.n} ${aspects} | ${recorded.case}`;
    });
}

export function isIntended(one: Replayed): boolean {
  return intendedDifferences.some((intended) => intended.covers(one));
}

/** The differences of a recording that are known. */
export function knownDifferences(name: RecordingName): string[] {
  return allKnown().filter((line) => line.startsWith(`${name} `));
}

export function writeKnown(lines: readonly string[]): void {
  writeFileSync(FILE, lines.map((line) => `${line}\n`).join(''));
}

function allKnown(): string[] {
  return readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
}
