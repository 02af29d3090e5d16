import { cursorKey, type Table } from '../store/index.ts';
import { parseCursor } from './cursor.ts';
import type { KnownStates } from './known-states.ts';
import { LeaseHeldError } from './lease.ts';
import type { TargetResource } from './subscription.ts';

export interface MemberChangesOptions {
  readonly table: Table;
  readonly target: TargetResource;
  /** Of the collection's lease. */
  readonly holder: string;
  readonly known: KnownStates;
  /** The cursor's `members` before the turn read the states. */
  readonly version: number;
}

/** Tells other dispatchers that a turn changes states, before it changes the first one. */
export class MemberChanges {
  readonly #options: MemberChangesOptions;
  #begun: Promise<void> | undefined;
  #seen: number;

  constructor(options: MemberChangesOptions) {
    this.#options = options;
    this.#seen = options.version;
  }

  /** The cursor's `members` up to which the turn took everything into account. */
  get seen(): number {
    return this.#seen;
  }

  /** @throws {LeaseHeldError} the lease was lost, and with it the right to change anything. */
  begin(): Promise<void> {
    this.#begun ??= this.#raise();
    return this.#begun;
  }

  async #raise(): Promise<void> {
    const { table, target, holder, known, version } = this.#options;
    known.forget(target.collection);
    const { outcome, row } = await table.update(cursorKey(target.collection), {
      add: { members: 1 },
      condition: [{ attribute: 'leaseHolder', is: '=', value: holder }],
    });
    if (outcome !== 'done') throw new LeaseHeldError(`the lease on ${target.collection} was lost`);
    // Where somebody else raised it since the states were read, another turn has to read them.
    const { members } = parseCursor(row);
    if (members === version + 1) this.#seen = members;
  }
}
