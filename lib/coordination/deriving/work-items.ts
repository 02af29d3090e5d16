import type { Collection } from '../../json/index.ts';
import {
  type Clause,
  dueKey,
  duePartition,
  type Key,
  parseDueKey,
  type Row,
  type Table,
} from '../../store/index.ts';
import type { Derived, Versions, WorkKey, WorkRequest } from './derivation.ts';

/** A work item: the row of one subject with due or future work. */
export interface WorkItem {
  readonly key: Key;
  readonly subject: WorkKey;
  /** For each collection, the least resourceVersion to derive from. */
  readonly wanted: Versions;
  /** The resourceVersions that it was last derived from. */
  readonly seen: Versions;
  /** When to derive again without a request, in ms since the epoch. */
  readonly time: number | undefined;
  /** When the oldest open request was made, in ms since the epoch. */
  readonly since: number;
}

const WANTED = 'wanted ';
const SEEN = 'seen ';
const PAGE = 500;

/** Creates a subject's work item, or raises its wanted version. Never lowers it. */
export async function raiseWanted(
  table: Table,
  { subject, collection, rv }: WorkRequest,
  now: number,
): Promise<void> {
  const attribute = `${WANTED}${collection}`;
  await table.update(dueKey(subject.collection, subject.name), {
    set: { [attribute]: rv, raised: now },
    setMissing: { since: now },
    condition: [{ any: [{ missing: attribute }, { attribute, is: '<', value: rv }] }],
  });
}

export function parseDue(row: Row): WorkItem {
  const { pk, sk, time, raised, since = raised } = row;
  return {
    key: { pk, sk },
    subject: parseDueKey(row),
    wanted: versionsOf(row, WANTED),
    seen: versionsOf(row, SEEN),
    time: time === undefined ? undefined : Number(time),
    since: Number(since ?? 0),
  };
}

/** Whether there is work: more is wanted than was seen, or the time has come. */
export function isDue(due: WorkItem, now: number): boolean {
  return isBehind(due) || (due.time !== undefined && due.time <= now);
}

/** How long the item has been due, in ms. Later requests do not reset it. */
export function lagOf(due: WorkItem, now: number): number {
  const { since, time = now } = due;
  return now - Math.min(time, isBehind(due) ? since : now);
}

function isBehind({ wanted, seen }: WorkItem): boolean {
  return [...wanted].some(([collection, rv]) => rv > (seen.get(collection) ?? 0));
}

/** Reads all rows of one shard. */
export async function* readDue(table: Table, shard: number): AsyncGenerator<WorkItem, void> {
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const { rows, more } = await table.query({ partition: duePartition(shard), from, to: '~', limit: PAGE });
    yield* rows.map(parseDue);
    from = more ? `${rows.at(-1)?.sk}!` : undefined;
  }
}

export interface Settling {
  /** The work item as it was when the work began. */
  readonly due: WorkItem;
  /** The holder of its lease. */
  readonly holder: string;
  readonly derived: Derived;
  /** All collections that may have a wanted version. */
  readonly collections: Iterable<Collection>;
}

/**
 * Completes a work item, and ends its lease. If no later version is wanted and time alone will not change the result,
 * the row is deleted. Otherwise the row stores the seen versions, so that messages for these versions do nothing.
 */
export async function settleRow(table: Table, settling: Settling): Promise<void> {
  const { due, holder, derived, collections } = settling;
  const held: Clause = { attribute: 'leaseHolder', is: '=', value: holder };
  if (derived.next === undefined) {
    const unmoved = [...collections].map((collection): Clause => {
      const attribute = `${WANTED}${collection}`;
      const value = due.wanted.get(collection);
      return value === undefined ? { missing: attribute } : { attribute, is: '=', value };
    });
    const { outcome } = await table.delete(due.key, [held, ...unmoved]);
    if (outcome === 'done') return;
  }
  const seen = [...due.wanted.keys(), ...derived.seen.keys()].map((collection) => [
    `${SEEN}${collection}`,
    Math.max(derived.seen.get(collection) ?? 0, due.wanted.get(collection) ?? 0),
  ]);
  await table.update(due.key, {
    set: { ...Object.fromEntries(seen), ...(derived.next !== undefined && { time: derived.next }) },
    remove: ['leaseHolder', 'leaseExpires', 'since', ...(derived.next === undefined ? ['time'] : [])],
    condition: [held],
  });
}

function versionsOf(row: Row, prefix: string): Versions {
  return new Map(
    Object.entries(row).flatMap(([attribute, value]) =>
      attribute.startsWith(prefix) ? [[attribute.slice(prefix.length) as Collection, Number(value)]] : [],
    ),
  );
}
