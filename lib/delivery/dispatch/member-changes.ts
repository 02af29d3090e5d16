import { type Cursor, LeaseHeldError, parseCursor } from '../../coordination/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import type { Clock } from '../../platform/index.ts';
import { cursorKey, type Table } from '../../store/index.ts';
import { type SubscriptionState, selectingBytes } from '../subscription/index.ts';
import type { KnownStates } from './known-states.ts';

export interface MemberChangesOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly target: TargetResource;
  readonly group?: number | undefined;
  /** The holder of the shard's lease. */
  readonly holder: string;
  readonly known: KnownStates;
  /** The cursor's `members` before the round read the states. */
  readonly version: number;
  /** The states that the round read. */
  readonly states: readonly SubscriptionState[];
  /** The shard's cursor before the round. */
  readonly cursor: Pick<Cursor, 'admitting'>;
  /** The last subscription that the round activates. */
  readonly last: SubscriptionState | undefined;
}

/**
 * The state changes of one round.
 *
 * - Before the first change, it raises the cursor's `members`, so that other dispatchers read the states again.
 * - Once the round is stored, it caches the new states. So this process need not read all of them again after its own
 *   changes.
 */
export class StateChanges {
  readonly #options: MemberChangesOptions;
  #begun: Promise<void> | undefined;
  #seen: number;
  #isCertain = true;
  readonly #changed = new Map<string, SubscriptionState | undefined>();

  constructor(options: MemberChangesOptions) {
    this.#options = options;
    this.#seen = options.version;
  }

  /** The cursor's `members` up to which the round took all state changes into account. */
  get seen(): number {
    return this.#seen;
  }

  /** {@link Cursor.selecting} of the states that the round read. */
  get selecting(): number {
    return this.#options.states.reduce((sum, state) => sum + selectingBytes(state), 0);
  }

  /** The current {@link Cursor.admitting}. */
  get admitting(): string {
    return this.#begun === undefined ? this.#options.cursor.admitting : this.#name;
  }

  /**
   * The round's own name if it activates subscriptions. Otherwise the name of the previous round, whose activations it
   * repeats.
   */
  get #name(): string {
    const { last, holder, version, cursor } = this.#options;
    return last === undefined ? cursor.admitting : `${last.uid}/${holder}/${version}`;
  }

  /**
   * Raises the cursor's `members` before the first change.
   *
   * @throws {LeaseHeldError} the lease was lost, and with it the right to change states.
   */
  begin(): Promise<void> {
    this.#begun ??= this.#raise();
    return this.#begun;
  }

  /** Records a stored state; undefined: reconcile owns it now, or it is gone. */
  note(uid: string, state: SubscriptionState | undefined): void {
    this.#changed.set(uid, state);
  }

  /** Records that a stored state may differ from the state that the round read. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** Caches the changed states after the round is stored. */
  settle(): void {
    const { known, version, states } = this.#options;
    // Another process raised `members` as well, or this round changed nothing.
    if (!this.#isCertain || this.#seen === version) return;
    const now = states.flatMap((state) => {
      const changed = this.#changed.has(state.uid) ? this.#changed.get(state.uid) : state;
      return changed ?? [];
    });
    known.keep({ ...this.#options, version: this.#seen }, now);
  }

  async #raise(): Promise<void> {
    const { table, target, group, holder, known, version } = this.#options;
    known.forget({ target, group });
    const { outcome, row } = await table.update(cursorKey(target.collection, group), {
      add: { members: 1 },
      set: { admitting: this.#name },
      condition: [{ attribute: 'leaseHolder', is: '=', value: holder }],
    });
    if (outcome !== 'done') throw new LeaseHeldError(`the lease on ${target.collection} was lost`);
    // If another process raised `members` since the states were read, another round has to read them.
    const { members } = parseCursor(row);
    if (members === version + 1) this.#seen = members;
  }
}
