import { InternedLabels } from '../compiled/index.ts';
import { parseInt64 } from '../int64.ts';
import { isMap, type LabelSet, readLabel } from '../labels.ts';
import type { Atom } from './atom.ts';
import type { Atoms, Condition, Term } from './atoms.ts';
import { UNKNOWN } from './atoms.ts';
import type { Bridge } from './bridge.ts';
import type { MatchState } from './interest.ts';

/** The states of an event, as bits. */
export const BEFORE = 1;
export const AFTER = 2;
export const BOTH = 3;

/** The most keys that are looked up one by one. */
const FEW_KEYS = 4;

/** The atoms that are true in the two states of one event, found in one pass over both. */
export class EventStates {
  readonly #atoms: Atoms;
  readonly #bridge: Bridge | undefined;
  /** The pairs and keys that are true before or after; only the first `touchedCount` elements count. */
  touched = new Int32Array(64);
  touchedCount = 0;
  /** The bits of the states that exist. */
  live = 0;
  readonly #evaluated: Atom[] = [];
  /** The terms in this event whose values conditions compare as numbers. */
  readonly compared: Term[] = [];
  readonly #old: Pairs = { names: [], values: [] };
  readonly #new: Pairs = { names: [], values: [] };

  constructor(atoms: Atoms, bridge: Bridge | undefined) {
    this.#atoms = atoms;
    this.#bridge = bridge;
  }

  /** The state by atom: bit 0 true before, bit 1 true after. */
  get states(): Uint8Array {
    return this.#atoms.states;
  }

  read(before: MatchState | undefined, after: MatchState | undefined): void {
    this.live = (before === undefined ? 0 : BEFORE) | (after === undefined ? 0 : AFTER);
    const was = before?.labels;
    const is = after?.labels;
    if (was instanceof InternedLabels || is instanceof InternedLabels) {
      this.#readInterned(was, is);
    } else {
      this.#readLabels(was, is);
    }
    if (this.#atoms.namespaces.pairs.size > 0) {
      if (before !== undefined) this.#see(this.#atoms.namespaces, before.namespace ?? '', BEFORE);
      if (after !== undefined) this.#see(this.#atoms.namespaces, after.namespace ?? '', AFTER);
    }
    if (this.#atoms.fields.size > 0) this.#readFields(before, after);
  }

  /** Resets all states of the event. */
  clear(): void {
    const { states } = this.#atoms;
    for (let at = 0; at < this.touchedCount; at++) states[this.touched[at] as Atom] = 0;
    this.touchedCount = 0;
    if (this.#evaluated.length > 0 || this.compared.length > 0) this.#clearConditions();
  }

  #clearConditions(): void {
    for (const condition of this.#evaluated) this.#atoms.states[condition] = UNKNOWN;
    this.#evaluated.length = 0;
    for (const term of this.compared) {
      term.before = undefined;
      term.after = undefined;
    }
    this.compared.length = 0;
  }

  /** Evaluates a condition, and stores its state until the event ends. */
  evaluate(atom: Atom): number {
    const condition = this.#atoms.condition(atom);
    const state = condition === undefined ? 0 : this.#evaluate(condition);
    this.#atoms.states[atom] = state;
    this.#evaluated.push(atom);
    return state;
  }

  #evaluate({ pairs, term, sign = 1, bound = 0n }: Condition): number {
    if (pairs !== undefined) {
      let state = 0;
      for (let at = 0; at < pairs.length; at++) state |= this.#atoms.states[pairs[at] as Atom] as number;
      return state;
    }
    const holds = (value: string | undefined) => {
      const number = value === undefined ? undefined : parseInt64(value);
      return number !== undefined && (sign > 0 ? number > bound : number < bound);
    };
    return (holds(term.before) ? BEFORE : 0) | (holds(term.after) ? AFTER : 0);
  }

  /**
   * Reads the labels of both states. Old and new labels usually have the same keys in the same order; then an
   * unchanged label is looked up once. Where the order differs it is looked up twice, with the same result.
   */
  #readLabels(before: LabelSet | undefined, after: LabelSet | undefined): void {
    if (this.#atoms.labels.size <= FEW_KEYS) {
      this.#askFew(before, after);
      return;
    }
    const old = this.#old;
    const now = this.#new;
    const newCount = after === undefined ? 0 : gather(after, now);
    if (before === after) {
      for (let at = 0; at < newCount; at++) this.#seeLabel(now, at, BOTH);
      return;
    }
    const oldCount = before === undefined ? 0 : gather(before, old);
    const shared = Math.min(oldCount, newCount);
    for (let at = 0; at < shared; at++) {
      const isSame = old.names[at] === now.names[at] && old.values[at] === now.values[at];
      this.#seeLabel(now, at, isSame ? BOTH : AFTER);
      if (!isSame) this.#seeLabel(old, at, BEFORE);
    }
    for (let at = shared; at < newCount; at++) this.#seeLabel(now, at, AFTER);
    for (let at = shared; at < oldCount; at++) this.#seeLabel(old, at, BEFORE);
  }

  /** Reads the labels by key. Where interests use few keys, this is faster than visiting all labels. */
  #askFew(before: LabelSet | undefined, after: LabelSet | undefined): void {
    for (const term of this.#atoms.labels.values()) {
      const is = after === undefined ? undefined : readLabel(after, term.name);
      const was = before === after ? is : before === undefined ? undefined : readLabel(before, term.name);
      if (is !== undefined) this.#see(term, is, is === was ? BOTH : AFTER);
      if (was !== undefined && was !== is) this.#see(term, was, BEFORE);
    }
  }

  #readInterned(before: MatchState['labels'] | undefined, after: MatchState['labels'] | undefined): void {
    this.#bridge?.sync();
    if (before === after) {
      this.#readOne(after, BOTH);
      return;
    }
    this.#readOne(before, BEFORE);
    this.#readOne(after, AFTER);
  }

  #readOne(labels: MatchState['labels'] | undefined, bits: number): void {
    if (labels === undefined) return;
    if (labels instanceof InternedLabels) {
      this.#seePairs(labels, bits);
      return;
    }
    const count = gather(labels, this.#new);
    for (let at = 0; at < count; at++) this.#seeLabel(this.#new, at, bits);
  }

  #seePairs({ vocabulary, pairs }: InternedLabels, bits: number): void {
    const bridge = this.#bridge;
    if (bridge?.vocabulary !== vocabulary) {
      throw new TypeError('labels are interned in another vocabulary than the index was made with');
    }
    const keyAtoms = bridge.keys.values;
    const pairAtoms = bridge.pairs.values;
    for (let at = 0; at < pairs.length; at++) {
      const pair = pairs[at] as number;
      const key = keyAtoms[pair] as number;
      if (key === 0) continue;
      this.#touch(key, bits);
      const atom = pairAtoms[pair] as number;
      if (atom !== 0) this.#touch(atom, bits);
      if (this.#atoms.comparisons === 0) continue;
      const term = this.#atoms.term(key);
      if (term.compared > 0) this.#compare(term, vocabulary.valueOf(pair), bits);
    }
  }

  #readFields(before: MatchState | undefined, after: MatchState | undefined): void {
    for (const term of this.#atoms.fields.values()) {
      if (before !== undefined) this.#see(term, before.readField?.(term.name) ?? '', BEFORE);
      if (after !== undefined) this.#see(term, after.readField?.(term.name) ?? '', AFTER);
    }
  }

  #seeLabel({ names, values }: Pairs, at: number, bits: number): void {
    const term = this.#atoms.labels.get(names[at] as string);
    if (term !== undefined) this.#see(term, values[at] as string, bits);
  }

  #see(term: Term, value: string, bits: number): void {
    this.#touch(term.exists, bits);
    const pair = term.pairs.find(value);
    if (pair !== 0) this.#touch(pair, bits);
    if (term.compared > 0) this.#compare(term, value, bits);
  }

  #compare(term: Term, value: string, bits: number): void {
    if (term.before === undefined && term.after === undefined) this.compared.push(term);
    if (bits & BEFORE) term.before = value;
    if (bits & AFTER) term.after = value;
  }

  #touch(atom: Atom, bits: number): void {
    const { states } = this.#atoms;
    const state = states[atom] as number;
    states[atom] = state | bits;
    if (state !== 0) return;
    if (this.touchedCount === this.touched.length) {
      const touched = new Int32Array(this.touched.length * 2);
      touched.set(this.touched);
      this.touched = touched;
    }
    this.touched[this.touchedCount++] = atom;
  }
}

interface Pairs {
  readonly names: string[];
  readonly values: string[];
}

/** Writes the labels to the beginning of the arrays; returns their number. */
function gather(labels: LabelSet, { names, values }: Pairs): number {
  let count = 0;
  if (isMap(labels)) {
    for (const [name, value] of labels) {
      names[count] = name;
      values[count++] = value;
    }
    return count;
  }
  for (const name in labels) {
    if (!Object.hasOwn(labels, name)) continue;
    names[count] = name;
    values[count++] = labels[name] as string;
  }
  return count;
}
