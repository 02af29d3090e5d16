import type { Collection, ObjectName } from '../json/index.ts';
import { TABLE } from '../platform/index.ts';
import type { Anchor } from '../selectors/index.ts';
import type { Key } from './table.ts';

/**
 * Every key of the table; no other file builds keys. Some stored prefixes are older than the words of the glossary: a
 * `look` is a GC task, `due` a work item, a `turn` a quota version, an `anchor` a posting and a `sweep` a backfill. The
 * stack's permissions know the prefixes of partition keys too, and its stream filter knows the journal's prefix
 * (`TABLE` in lib/platform).
 *
 * Namespaces and most names hold only `[a-z0-9.-]`; names of roles, events and the like hold anything but `/` and `%`.
 * The encoded names in keys contain no character below a space, and no character that this process and the table would
 * sort differently. So `nameAfter` is the first possible key after a name, and `nameRange` contains all names of a
 * namespace.
 */

/** The number of partitions of a collection's journal (1,000 write units a second each). */
export const JOURNAL_SHARDS = 8;

/**
 * Characters to escape. Characters from a space to U+D7FF stay, except `%`, which begins an escape. Up to U+D7FF,
 * UTF-16 and UTF-8 sort the same.
 */
const ESCAPED = /[^ -$&-\ud7ff]/u;
const EACH_ESCAPED = new RegExp(ESCAPED, 'gu');

/** `<namespace>/<name>`, the order of every LIST. All names of a namespace share one prefix. */
export function nameKey({ namespace, name }: ObjectName): string {
  const spelled = ESCAPED.test(name) ? name.toWellFormed().replace(EACH_ESCAPED, encodeURIComponent) : name;
  return `${namespace}/${spelled}`;
}

export function parseNameKey(key: string): ObjectName {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  return { namespace: key.slice(0, slash), name: name.includes('%') ? decodeURIComponent(name) : name };
}

export function nameAfter(key: string): string {
  return `${key} `;
}

/**
 * The range of name keys of one namespace, or of all when `namespace` is undefined. `0` is the character right after
 * `/`.
 */
export function nameRange(namespace: string | undefined): { from: string; to: string } {
  return namespace === undefined ? { from: '!', to: '~' } : { from: `${namespace}/`, to: `${namespace}0` };
}

export const objectPartition = (collection: Collection) => `object#${collection}`;

export function objectKey(collection: Collection, name: string): Key {
  return { pk: objectPartition(collection), sk: name };
}

export function tombstoneKey(collection: Collection, name: string): Key {
  return { pk: `tombstone#${collection}#${name}`, sk: 'tombstone' };
}

/** The row that assigns the collection's slots to label keys. It is never deleted, and an assignment never changes. */
export const slotsKey = (collection: Collection): Key => ({ pk: `slots#${collection}`, sk: 'slots' });

/** The row of one label of one object, if the label's key has no slot. */
export function labelEntryKey(collection: Collection, name: string, label: string): Key {
  return { pk: `labels#${collection}#${name}`, sk: label };
}

export const overflowPartition = (collection: Collection, label: string) => `${collection}#${label}`;

/**
 * The sort key of an object in a label index: first the label's value, then the name key. `!` sorts before all
 * characters of values (`[A-Za-z0-9._-]`), and `"` sorts between `!` and them. So entries with equal values are
 * adjacent, and `afterValue` sorts behind all of them.
 */
export const valueKey = (value: string, name: string) => `${value}!${name}`;

export const afterValue = (value: string) => `${value}"`;

/** The value and the name key in a sort key of a label index. A value holds no `!`; a name may. */
export function parseValueKey(key: string): { value: string; name: string } {
  const mark = key.indexOf('!');
  return { value: key.slice(0, mark), name: key.slice(mark + 1) };
}

/** A resourceVersion, zero-padded so that the text sorts like the number. */
export const padVersion = (rv: number) => String(rv).padStart(16, '0');

export function journalKey(collection: Collection, rv: number): Key {
  return { pk: `${TABLE.journalPrefix}${collection}#${rv % JOURNAL_SHARDS}`, sk: padVersion(rv) };
}

/** The collection and resourceVersion that a journal entry's key names, or undefined for another row's key. */
export function parseJournalKey(key: Key): { collection: Collection; rv: number } | undefined {
  if (!key.pk.startsWith(TABLE.journalPrefix)) return undefined;
  const collection = key.pk.slice(TABLE.journalPrefix.length, key.pk.lastIndexOf('#'));
  return { collection: collection as Collection, rv: Number(key.sk) };
}

export const relabelPartition = (collection: Collection, shard: number) => `relabel#${collection}#${shard}`;

export function relabelKey(collection: Collection, rv: number): Key {
  return { pk: relabelPartition(collection, rv % JOURNAL_SHARDS), sk: padVersion(rv) };
}

export const dependentsPartition = (uid: string) => `owner#${uid}`;

/** The row that records one dependent of an owner. */
export function dependentKey(uid: string, collection: Collection, name: string): Key {
  return { pk: dependentsPartition(uid), sk: `${collection}#${name}` };
}

/** The dependent that an owner's row names. */
export function parseDependentKey({ sk }: Key): { collection: Collection; name: ObjectName } {
  const hash = sk.indexOf('#');
  return { collection: sk.slice(0, hash) as Collection, name: parseNameKey(sk.slice(hash + 1)) };
}

/** The number of partitions of GC tasks. Each is read every minute. */
export const GC_TASK_SHARDS = 4;

export const looksPartition = (shard: number) => `${TABLE.looksPrefix}${shard}`;

/** A time in ms, zero-padded so that GC tasks sort by the time when they are due. */
export const padTime = (time: number) => String(Math.max(0, Math.floor(time))).padStart(16, '0');

/** The key of a GC task that the write at `rv` of a collection creates. */
export function lookKey({ due, what, collection, rv }: LookName): Key {
  return {
    pk: looksPartition(rv % GC_TASK_SHARDS),
    sk: `${padTime(due)}#${what}#${collection}#${padVersion(rv)}`,
  };
}

interface LookName {
  readonly due: number;
  readonly what: string;
  readonly collection: Collection;
  readonly rv: number;
}

/** The key of the GC task that deletes the chunks with that id, unless the object still has them. */
export function chunkTaskKey({ due, collection, id }: ChunkTaskName): Key {
  return {
    pk: looksPartition(Number.parseInt(id.slice(0, 4), 16) % GC_TASK_SHARDS),
    sk: `${padTime(due)}#chunks#${collection}#${id}`,
  };
}

interface ChunkTaskName {
  readonly due: number;
  readonly collection: Collection;
  /** A uuid. */
  readonly id: string;
}

/** The shard of a GC task, its due time in ms and its kind, or undefined for another row's key. */
export function parseGcTaskKey(key: Key): { shard: number; due: number; what: string } | undefined {
  if (!key.pk.startsWith(TABLE.looksPrefix)) return undefined;
  const [due = '', what = ''] = key.sk.split('#', 2);
  return { shard: Number(key.pk.slice(TABLE.looksPrefix.length)), due: Number(due), what };
}

/** The number of partitions of work items. Each is read every minute. */
export const DUE_SHARDS = 4;

export const duePartition = (shard: number) => `due#${shard}`;

/** The key of an object's work item: derived data of the object must be recomputed. The row outlives the object. */
export function dueKey(collection: Collection, name: ObjectName): Key {
  const sk = `${collection}#${nameKey(name)}`;
  let sum = 0;
  for (let index = 0; index < sk.length; index += 1) sum = (sum * 31 + sk.charCodeAt(index)) % 65_536;
  return { pk: duePartition(sum % DUE_SHARDS), sk };
}

export function parseDueKey({ sk }: Key): { collection: Collection; name: ObjectName } {
  const hash = sk.indexOf('#');
  return { collection: sk.slice(0, hash) as Collection, name: parseNameKey(sk.slice(hash + 1)) };
}

/**
 * The row of the deployment's settings for which work items of all objects were already created. No work item has
 * this partition.
 */
export const roundsKey: Key = { pk: 'due#rounds', sk: 'rounds' };

/** One part of a body that is too large for a row; each has its own partition. */
export const chunkKey = (id: string, at: number): Key => ({ pk: `chunk#${id}#${at}`, sk: 'chunk' });

/** The row of the quota version of a namespace in a collection. */
export function turnKey(collection: Collection, namespace: string): Key {
  return { pk: `turn#${collection}#${namespace}`, sk: 'turn' };
}

/** The row of a reservation; it names the object that holds it. */
export function reservationKey(name: string): Key {
  return { pk: `reservation#${name}`, sk: 'reservation' };
}

/** The row with the current resourceVersion of each collection that defines permissions. */
export const accessKey: Key = { pk: 'access#versions', sk: 'versions' };

/** The row with the time at which a process last noted that it writes. */
export const activityKey: Key = { pk: 'activity#writes', sk: 'writes' };

/** The row with the schema version in which rows are written. */
export const schemaKey: Key = { pk: 'schema#rows', sk: 'rows' };

/**
 * The parts of a partition of postings: all selectors with one index term. `namespace` is undefined for selectors
 * that apply to all namespaces.
 */
export interface AnchorPlace {
  /** The collection whose objects the selectors select. */
  readonly target: Collection;
  readonly namespace?: string;
  readonly anchor: Anchor;
}

/**
 * The parts of a posting's key: its partition, its carrier (`name` as `nameKey` spells it) and the selector's path in
 * the carrier.
 */
export interface AnchorKeyParts extends AnchorPlace {
  readonly collection: Collection;
  readonly name: string;
  readonly path: string;
}

/** The partition key of postings. `*` stands for all namespaces; no namespace has that name. */
export function anchorPartition({ target, namespace = '*', anchor }: AnchorPlace): string {
  return `anchor#${target}#${namespace}#${anchor}`;
}

export function postingKey({ collection, name, path, ...place }: AnchorKeyParts): Key {
  return { pk: anchorPartition(place), sk: `${collection}#${name}#${path}` };
}

/** The parts of a posting's key. Neither labels nor the names of carriers hold a `#`. */
export function parseAnchorKey({ pk, sk }: Key): AnchorKeyParts {
  const [, target = '', namespace, anchor = ''] = pk.split('#');
  const [collection = '', name = '', path = ''] = sk.split('#');
  return {
    target: target as Collection,
    ...(namespace !== '*' && { namespace }),
    anchor,
    collection: collection as Collection,
    name,
    path,
  };
}

/** The rows with the progress of a backfill: how far it has gone through the names of each collection. */
export const sweepsPartition = 'sweeps#anchors';

export const sweepKey = (collection: Collection): Key => ({ pk: sweepsPartition, sk: collection });

/** The rows of the collections that are not built in. */
export const declaredPartition = 'collections#declared';

export function declaredKey(collection: Collection): Key {
  return { pk: declaredPartition, sk: collection };
}

export const headKey = (collection: Collection): Key => ({ pk: `head#${collection}`, sk: 'head' });
export const settledKey = (collection: Collection): Key => ({ pk: `head#${collection}`, sk: 'settled' });

/** The number of buckets, ranges of uids, into which a collection's subscriptions are divided. */
export const BUCKETS = 64;

/** The first possible uid of a bucket: two hexadecimal digits, as uids sort. */
const placeBegins = (place: number) => ((place * 256) / BUCKETS).toString(16).padStart(2, '0');

/**
 * The bucket of a uid. Uids are random, so buckets have about the same size. A text that is not a uid has a bucket
 * too.
 */
export function bucketOf(uid: string): number {
  let place = 0;
  while (place + 1 < BUCKETS && uid >= placeBegins(place + 1)) place += 1;
  return place;
}

/** The bounds of the sort keys of the buckets from `from` (inclusive) to `until` (exclusive). */
export function bucketRange(from: number, until: number): { from: string; to: string } {
  return {
    from: from === 0 ? '!' : placeBegins(from),
    to: until === BUCKETS ? '~' : placeBegins(until),
  };
}

/** The key of the cursor of the dispatch shard whose first bucket is `group`. */
export function cursorKey(collection: Collection, group = 0): Key {
  const sk = group === 0 ? 'cursor' : `cursor#${String(group).padStart(2, '0')}`;
  return { pk: `head#${collection}`, sk };
}

/** The bounds of the sort keys of all cursors of a collection. */
export const CURSORS = { from: 'cursor', to: 'cursor#~' };

/** The dispatch shard that a cursor's sort key names, by its first bucket. */
export function shardOfCursor({ sk }: Key): number {
  return Number(sk.split('#')[1] ?? 0);
}

/** The partition of the proofs of a user-owned queue: one row for each namespace whose Subscriptions name the queue. */
export const proofPartition = (queueArn: string) => `proof#${queueArn}`;

export function proofKey(queueArn: string, namespace: string): Key {
  return { pk: proofPartition(queueArn), sk: namespace };
}

export const subscriptionsPartition = (collection: Collection) => `subscriptions#${collection}`;

export function subscriptionKey(collection: Collection, uid: string): Key {
  return { pk: subscriptionsPartition(collection), sk: uid };
}

/** The row with the progress of a restore of the table. */
export const restoreKey: Key = { pk: 'restore', sk: 'restore' };

/** The parts of a partition key: the kind of its rows, the text after the first `#`, and the text after the second. */
export function parsePartition(pk: string): { kind: string; of: string; rest: string } {
  const [kind = '', of = '', ...rest] = pk.split('#');
  return { kind, of, rest: rest.join('#') };
}

/** The row with the digest of what one subscription has received so far, for subscriptions that keep one. */
export const tallyKey = (uid: string): Key => ({ pk: `tally#${uid}`, sk: 'tally' });

/** The row with the binder's lease and its position. */
export const placerKey: Key = { pk: 'placer#pods', sk: 'lease' };

/** The row that names the chunks of the latest stored snapshot of the cluster state. */
export const snapshotKey: Key = { pk: 'snapshot#world', sk: 'header' };

/** One chunk of the snapshot with that id; each chunk has its own partition. */
export function snapshotChunkKey(id: string, at: number): Key {
  return { pk: `snapshot#world#${id}#${at}`, sk: 'chunk' };
}

/** The rows of the open watches of one user, if watches are limited; the key holds a digest of the user name. */
export const watchesPartition = (user: string) => `watches#${user}`;

/** The token bucket of one user's requests, if requests are limited; the key holds a digest of the user name. */
export const budgetKey = (user: string): Key => ({ pk: `budget#${user}`, sk: 'budget' });

export function watchKey(user: string, place: number): Key {
  return { pk: watchesPartition(user), sk: String(place) };
}

/** The row with the time of a user's last request; the key holds a digest of the user name. */
export const seenKey = (user: string): Key => ({ pk: `seen#${user}`, sk: 'seen' });
