import { type Clock, TIMING } from '../../platform/index.ts';
import { expiresAt, padVersion, type Row, type Table, tallyKey } from '../../store/index.ts';
import type { SetDigest } from './tally.ts';

/** What one subscription was sent by dispatch: everything up to the position, and the tally there. */
export interface Sent {
  readonly position: number;
  readonly tally: SetDigest;
}

/** Of a subscription's state. */
interface Counted {
  readonly uid: string;
  readonly start: number;
  readonly attempt: number;
  readonly tally: SetDigest;
}

/** Above all that a place is. */
const CLOSED = '~';

/**
 * What those of the subscriptions that are counted were sent since dispatch has them, by uid; nothing of one that was
 * told nothing since: its state says its tally.
 *
 * A row belongs to one start and attempt, as long as which one dispatcher after the other has the subscription. What
 * is of an earlier one says nothing: reconcile went on from what the state says.
 */
export async function readTallies(
  table: Table,
  states: readonly Counted[],
): Promise<ReadonlyMap<string, Sent>> {
  const counted = states.filter(({ tally }) => tally !== '');
  if (counted.length === 0) return new Map();
  const rows = new Map(
    (await table.batchGet(counted.map(({ uid }) => tallyKey(uid)))).map((row) => [row.pk, row]),
  );
  return new Map(
    counted.flatMap((state): [string, Sent][] => {
      const sent = tallyIn(rows.get(tallyKey(state.uid).pk), state);
      return sent === undefined ? [] : [[state.uid, sent]];
    }),
  );
}

/** What a row says of a subscription in this state. */
export function tallyIn(row: Row | undefined, state: Pick<Counted, 'start' | 'attempt'>): Sent | undefined {
  if (row === undefined || !String(row.place).startsWith(prefixOf(state))) return undefined;
  return { position: Number(row.position), tally: String(row.tally) };
}

/**
 * Stored, where it is counted, once all up to the position was accepted, and before the cursor moves there: a place
 * only rises. So a dispatcher that outlived its lease, or a request that its sender gave up, takes nothing back; and
 * what they say is true, for both sent what the journal has.
 */
export async function storeDigest(
  table: Table,
  state: Counted,
  { position, tally }: Partial<Sent> & Pick<Sent, 'position'>,
): Promise<void> {
  if (tally === undefined) return;
  const place = `${prefixOf(state)}${padVersion(position)}`;
  await table.update(tallyKey(state.uid), {
    set: { place, position, tally },
    condition: [{ any: [{ missing: 'place' }, { attribute: 'place', is: '<', value: place }] }],
  });
}

/** Of a subscription that goes: nobody who is late puts its row again. */
export async function closeTally(table: Table, clock: Clock, uid: string): Promise<void> {
  const ttl = expiresAt(clock.now(), TIMING.expiry);
  await table.put({ ...tallyKey(uid), place: CLOSED, ttl });
}

/** Starts and attempts sort as texts. */
function prefixOf({ start, attempt }: Pick<Counted, 'start' | 'attempt'>): string {
  return `${padVersion(start)}/${padVersion(attempt)}/`;
}
