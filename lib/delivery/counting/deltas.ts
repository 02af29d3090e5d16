import type { Transition } from '../../selectors/index.ts';
import type { JournalChange } from '../../store/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';
import { type Counts, groupOf, type Step, withinBounds, withSteps } from './counts.ts';
import { isTally } from './is-tally.ts';

interface Delta {
  readonly rv: number;
  /** The groups that the object leaves and enters; undefined: none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A collector for the changes of a round, if the state is that of a Tally. */
export function deltasOf(state: SubscriptionState): Deltas | undefined {
  return isTally(state) ? new Deltas(state.groupBy) : undefined;
}

/**
 * The effects of one round's changes on one Tally, in the journal's order. Changes that alter no count are left out.
 */
export class Deltas {
  readonly #groupBy: readonly string[];
  readonly #deltas: Delta[] = [];

  /** @param groupBy label keys as JSON, as a state row holds them */
  constructor(groupBy: string) {
    this.#groupBy = JSON.parse(groupBy);
  }

  get isEmpty(): boolean {
    return this.#deltas.length === 0;
  }

  note(change: JournalChange, how: Transition): void {
    const { rv, relabels, labels } = change;
    const before = () => (relabels ? (change.before?.labels ?? {}) : labels);
    const from = how === 'entered' ? undefined : groupOf(this.#groupBy, before());
    const to = how === 'left' ? undefined : groupOf(this.#groupBy, labels);
    if (from !== to) this.#deltas.push({ rv, from, to });
  }

  /** Returns the counts with all changes after the position; undefined: there is no such change. */
  after(counts: Counts, position: number): Counts | undefined {
    const missing = this.#deltas.filter(({ rv }) => rv > position);
    if (missing.length === 0) return undefined;
    return withinBounds(withSteps(counts, missing.flatMap(stepsOf)));
  }
}

function stepsOf({ from, to }: Delta): Step[] {
  return [
    ...(from === undefined ? [] : [[from, -1] as const]),
    ...(to === undefined ? [] : [[to, 1] as const]),
  ];
}
