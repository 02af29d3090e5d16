import { LeaseHeldError } from '../../coordination/index.ts';
import { type Deltas, parseCounts, printCounts, workOf } from '../counting/index.ts';
import { type SubscriptionState, stateKey, updateState } from '../subscription/index.ts';
import type { MembershipOptions } from './membership.ts';

/** Another process counts for the same Tally at the same time only if a dispatcher has outlived its lease. */
const TRIES = 5;

interface Counting {
  /** The state, read before the round gathered the changes that its selection selects. */
  readonly state: SubscriptionState;
  readonly deltas: Deltas;
  /** The deltas are complete up to this resourceVersion. */
  readonly upTo: number;
}

/**
 * Counts a round's changes for one Tally. Position and counts move in one write, on condition that both are unchanged.
 * Each change counts once, even if another process counts, crashes or is late. A `ready` Tally becomes `synced`. A
 * Tally that was counted again in the meantime is not changed. It keeps its own position until a round has read its
 * state.
 *
 * @throws {LeaseHeldError} other processes changed its counts during every try.
 */
export async function advanceCount(options: MembershipOptions, counting: Counting): Promise<void> {
  const { table, changes, notices } = options;
  const { state, deltas, upTo } = counting;
  if (state.membership === 'ready') await changes.begin();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const row = await table.get(stateKey(state));
    if (row === undefined || row.edit !== state.edit || row.membership === 'catching-up') {
      return changes.doubt();
    }
    const { membership } = row;
    const position = Number(row.position);
    const counts = deltas.after(parseCounts(String(row.counts)), position);
    if (counts === undefined && membership === 'synced') {
      return state.membership === 'synced' ? undefined : changes.doubt();
    }
    const moved = { membership: 'synced', position: Math.max(position, upTo) } as const;
    const change = { ...moved, ...(counts && { counts: printCounts(counts) }) };
    const isMoved = await updateState(table, state, change, [
      { attribute: 'edit', is: '=', value: state.edit },
      { attribute: 'membership', is: '=', value: String(membership) },
      { attribute: 'position', is: '=', value: position },
    ]);
    if (!isMoved) continue;
    if (state.membership === 'ready') changes.note(state.uid, { ...state, ...moved });
    notices.add(workOf(state), `counted/${state.edit}/${moved.position}`);
    return;
  }
  throw new LeaseHeldError(`other processes count for the Tally ${state.uid}`);
}
