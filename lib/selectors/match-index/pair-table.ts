import type { Atom } from './atom.ts';

/** A slot is a hash and an atom. Atom 0 marks a free slot. */
const SLOT = 2;
const ATOM = 1;
const LEAST_SLOTS = 8;
/** With half of the slots free, chance alone does not displace a value this far. */
const FARTHEST = 128;

/**
 * The values of one key that interests use, and the atom of each. Most values in events are used by no interest. The
 * table detects that with one memory access, where a Map compares the text of each value in the bucket. If values
 * were chosen to collide, the table is rebuilt with another seed.
 */
export class PairTable {
  /** The value by atom, of all tables. */
  readonly #values: readonly string[];
  #slots = new Int32Array(LEAST_SLOTS * SLOT);
  #mask = LEAST_SLOTS - 1;
  #seed = 0;
  size = 0;

  /** @param values the value of each atom; the caller sets it before `add`, and keeps it until after `delete` */
  constructor(values: readonly string[]) {
    this.#values = values;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** The value's atom; 0 if there is none. */
  find(value: string): Atom {
    const slots = this.#slots;
    const hash = hashOf(value, this.#seed);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const atom = slots[slot * SLOT + ATOM] as Atom;
      if (atom === 0) return 0;
      if (slots[slot * SLOT] === hash && this.#values[atom] === value) return atom;
    }
  }

  /** Adds an atom, whose value must not be in the table yet. */
  add(atom: Atom): void {
    if (++this.size * 2 > this.#mask) this.#rebuild(this.#slots.length * 2);
    if (this.#insert(atom) > FARTHEST) {
      this.#seed++;
      this.#rebuild(this.#slots.length);
    }
  }

  /** @throws RangeError when the atom is not in the table */
  delete(atom: Atom): void {
    const slots = this.#slots;
    let gap = this.#homeOf(atom);
    while (slots[gap * SLOT + ATOM] !== atom) {
      if (slots[gap * SLOT + ATOM] === 0) throw new RangeError(`atom ${atom} has no value here`);
      gap = (gap + 1) & this.#mask;
    }
    this.size--;
    // Move up the following slots, but none before its own place.
    for (let next = (gap + 1) & this.#mask; slots[next * SLOT + ATOM] !== 0; next = (next + 1) & this.#mask) {
      const home = (slots[next * SLOT] as number) & this.#mask;
      if (((next - home) & this.#mask) < ((next - gap) & this.#mask)) continue;
      slots.copyWithin(gap * SLOT, next * SLOT, (next + 1) * SLOT);
      gap = next;
    }
    slots.fill(0, gap * SLOT, (gap + 1) * SLOT);
  }

  #homeOf(atom: Atom): number {
    return hashOf(this.#values[atom] as string, this.#seed) & this.#mask;
  }

  /** Inserts an atom. Returns the number of slots that it visited. */
  #insert(atom: Atom): number {
    const slots = this.#slots;
    const hash = hashOf(this.#values[atom] as string, this.#seed);
    let slot = hash & this.#mask;
    let looks = 1;
    for (; slots[slot * SLOT + ATOM] !== 0; looks++) slot = (slot + 1) & this.#mask;
    slots[slot * SLOT] = hash;
    slots[slot * SLOT + ATOM] = atom;
    return looks;
  }

  #rebuild(length: number): void {
    const old = this.#slots;
    this.#slots = new Int32Array(length);
    this.#mask = length / SLOT - 1;
    for (let at = ATOM; at < old.length; at += SLOT) {
      const atom = old[at] as Atom;
      if (atom !== 0) this.#insert(atom);
    }
  }
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ text.charCodeAt(at), 0x9e3779b1);
  }
  return hash ^ (hash >>> 15);
}
