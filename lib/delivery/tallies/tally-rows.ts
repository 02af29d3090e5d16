import { type Clock, TIMING } from '../../platform/index.ts';
import { expiresAt, padVersion, type Row, type Table, tallyKey } from '../../store/index.ts';
import type { SetDigest } from './tally.ts';

/**
 * The progress of dispatch for one subscription: everything up to the position was sent, and `tally` is the digest
 * there.
 */
export interface Sent {
  readonly position: number;
  readonly tally: SetDigest;
}

/** The part of a subscription's state that concerns digests. */
interface Counted {
  readonly uid: string;
  readonly start: number;
  readonly attempt: number;
  readonly tally: SetDigest;
}

/** Sorts after every `place`. */
const CLOSED = '~';

/**
 * The digests of what dispatch has sent to verified subscriptions since it took them over, by uid. A subscription that
 * was sent nothing since is missing: its state holds its digest.
 *
 * A row belongs to one start and attempt. During these, only dispatch owns the subscription, possibly one dispatcher
 * after another. A row of an earlier start or attempt is ignored, because reconcile continued from the state.
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

/** The digest in a row, if it belongs to the start and attempt of this state. */
export function tallyIn(row: Row | undefined, state: Pick<Counted, 'start' | 'attempt'>): Sent | undefined {
  if (row === undefined || !String(row.place).startsWith(prefixOf(state))) return undefined;
  return { position: Number(row.position), tally: String(row.tally) };
}

/**
 * Stores a digest after the queue accepted everything up to the position, and before the cursor moves there. A `place`
 * only rises. So a dispatcher that outlived its lease, or a request that its sender gave up on, undoes nothing. Their
 * digests are correct too, because both sent what the journal contains.
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

/** Closes the digest row of a deleted subscription, so that a late process cannot write it again. */
export async function closeTally(table: Table, clock: Clock, uid: string): Promise<void> {
  const ttl = expiresAt(clock.now(), TIMING.expiry);
  await table.put({ ...tallyKey(uid), place: CLOSED, ttl });
}

/** Starts and attempts are padded so that they sort as text. */
function prefixOf({ start, attempt }: Pick<Counted, 'start' | 'attempt'>): string {
  return `${padVersion(start)}/${padVersion(attempt)}/`;
}
