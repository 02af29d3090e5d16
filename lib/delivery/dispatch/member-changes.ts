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
  /** Of the group's lease. */
  readonly holder: string;
  readonly known: KnownStates;
  /** The cursor's `members` before the turn read the states. */
  readonly version: number;
  /** As the turn read them. */
  readonly states: readonly SubscriptionState[];
  /** Of the group, before the turn. */
  readonly cursor: Pick<Cursor, 'admitting'>;
  /** The last of those that the turn admits. */
  readonly last: SubscriptionState | undefined;
}

/**
 * Tells other dispatchers that a turn changes states, before it changes the first one; and this process what they
 * are when the turn is stored, so that it need not read all of them again for its own changes.
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

  /** The cursor's `members` up to which the turn took everything into account. */
  get seen(): number {
    return this.#seen;
  }

  /** {@link Cursor.selecting} of the states that the turn read. */
  get selecting(): number {
    return this.#options.states.reduce((sum, state) => sum + selectingBytes(state), 0);
  }

  /** {@link Cursor.admitting} as it is now. */
  get admitting(): string {
    return this.#begun === undefined ? this.#options.cursor.admitting : this.#name;
  }

  /** The turn's, where it admits anybody; else that of the one before, whose admissions it takes up. */
  get #name(): string {
    const { last, holder, version, cursor } = this.#options;
    return last === undefined ? cursor.admitting : `${last.uid}/${holder}/${version}`;
  }

  /** @throws {LeaseHeldError} the lease was lost, and with it the right to change anything. */
  begin(): Promise<void> {
    this.#begun ??= this.#raise();
    return this.#begun;
  }

  /** A state as it was stored; undefined: it is reconcile's now, or gone. */
  note(uid: string, state: SubscriptionState | undefined): void {
    this.#changed.set(uid, state);
  }

  /** A state is not what the turn took it for. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** The turn is stored. */
  settle(): void {
    const { known, version, states } = this.#options;
    // Somebody else raised it as well, or nobody did.
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
    // Where somebody else raised it since the states were read, another turn has to read them.
    const { members } = parseCursor(row);
    if (members === version + 1) this.#seen = members;
  }
}
