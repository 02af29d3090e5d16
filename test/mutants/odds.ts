import { basename } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Something that may find a mutant out. */
export interface Attempt {
  /** A test file or a scenario, of whatever seed. */
  readonly name: string;
  /** Ms of CPU time. */
  readonly cost: number;
  /** How many mutants it reaches: who reaches few looks closely. */
  readonly reaches: number;
  /** Which of the attempts of this name it is, from 1 on. */
  readonly turn: number;
}

interface Count {
  tried: number;
  found: number;
}

/** What a mutant of the same function tells counts as so many of the same file. */
const SAME_FUNCTION = 4;
/** Who reaches so many finds out half of them, where nothing is known. */
const HALF = 50;
/** What the test of a file finds out of it, where nothing is known. */
const OF_ITS_OWN = 0.9;

/** Learns what finds out the mutants of a file, so that the likeliest for its cost is tried first. */
export class Odds {
  readonly #counts = new Map<string, Count>();

  /** The attempts, those first that are likely to find the mutant out and cost little. */
  order<One extends Attempt>(mutant: Mutant, attempts: readonly One[]): One[] {
    const worth = new Map(attempts.map((one) => [one, this.#chance(mutant, one) / (one.turn * one.cost)]));
    return [...attempts].sort((left, right) => (worth.get(right) ?? 0) - (worth.get(left) ?? 0));
  }

  note(mutant: Mutant, { name }: Attempt, found: boolean): void {
    for (const place of placesOf(mutant)) {
      const count = this.#count(place, name);
      count.tried += 1;
      count.found += found ? 1 : 0;
    }
  }

  #chance(mutant: Mutant, { name, reaches }: Attempt): number {
    const [file, within] = placesOf(mutant).map((place) => this.#count(place, name));
    const before = name.endsWith(`/${basename(mutant.file, '.ts')}.test.ts`)
      ? OF_ITS_OWN
      : HALF / (HALF + reaches);
    const found = (file?.found ?? 0) + SAME_FUNCTION * (within?.found ?? 0) + before;
    const tried = (file?.tried ?? 0) + SAME_FUNCTION * (within?.tried ?? 0) + 1;
    return found / tried;
  }

  #count(place: string, name: string): Count {
    const key = `${place} ${name}`;
    const count = this.#counts.get(key) ?? { tried: 0, found: 0 };
    this.#counts.set(key, count);
    return count;
  }
}

function placesOf({ file, within }: Mutant): string[] {
  return [file, `${file} ${within}`];
}
