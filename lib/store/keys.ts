import type { Collection, ObjectName } from '../json/index.ts';
import { TABLE } from '../platform/index.ts';
import type { Anchor } from '../selectors/index.ts';
import type { Key } from './table.ts';

/**
 * The spelling of every key in the table; no other file spells one. What partition keys begin with is known to the
 * stack's permissions too, and the journal's prefix to its stream filter (`TABLE` in lib/platform).
 *
 * Namespaces and most names hold only `[a-z0-9.-]`; names of roles, events and the like hold anything but `/` and `%`.
 * In keys they hold nothing below a space, and nothing that this process and the table would sort differently: so
 * `nameAfter` is the first possible key after a name, and `nameRange` has all of a namespace.
 */

/** How many partitions a collection's journal is spread over (1,000 write units a second each). */
export const JOURNAL_SHARDS = 8;

/** All but a space to U+D7FF, up to which UTF-16 and UTF-8 sort the same; and what escapes begin with. */
const ESCAPED = /[^ -$&-\ud7ff]/u;
const EACH_ESCAPED = new RegExp(ESCAPED, 'gu');

/** `<namespace>/<name>`: the order of every LIST, one namespace being a prefix. */
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

/** The range of name keys of one namespace, or of all when `namespace` is undefined: `0` comes right after `/`. */
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

/** Which label keys the collection's slots are for. Never deleted: what stands there stands for ever. */
export const slotsKey = (collection: Collection): Key => ({ pk: `slots#${collection}`, sk: 'slots' });

/** The row of one label of one object, where the label's key has no slot. */
export function labelEntryKey(collection: Collection, name: string, label: string): Key {
  return { pk: `labels#${collection}#${name}`, sk: label };
}

export const overflowPartition = (collection: Collection, label: string) => `${collection}#${label}`;

/**
 * Where an object stands in a label index: by the label's value, and among equal ones by name. `!` sorts before all
 * that values are made of (`[A-Za-z0-9._-]`) and `"` between the two, so equal values stand together, and what is
 * `afterValue` stands behind all of them.
 */
export const valueKey = (value: string, name: string) => `${value}!${name}`;

export const afterValue = (value: string) => `${value}"`;

/** The value and the name key that a place in a label index is made of: no value holds a `!`, though a name may. */
export function parseValueKey(key: string): { value: string; name: string } {
  const mark = key.indexOf('!');
  return { value: key.slice(0, mark), name: key.slice(mark + 1) };
}

/** Zero-padded so that resourceVersions sort as text. */
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

/** The row that says that an object names an owner. */
export function dependentKey(uid: string, collection: Collection, name: string): Key {
  return { pk: dependentsPartition(uid), sk: `${collection}#${name}` };
}

/** The dependent that a row of its owner's partition names. */
export function parseDependentKey({ sk }: Key): { collection: Collection; name: ObjectName } {
  const hash = sk.indexOf('#');
  return { collection: sk.slice(0, hash) as Collection, name: parseNameKey(sk.slice(hash + 1)) };
}

/** How many partitions looks are spread over. Each is read every minute. */
export const GC_TASK_SHARDS = 4;

export const looksPartition = (shard: number) => `${TABLE.looksPrefix}${shard}`;

/** From when a look is due, in ms, so that looks sort by it. */
export const padTime = (time: number) => String(Math.max(0, Math.floor(time))).padStart(16, '0');

/** A look that the write at `rv` of a collection asks for. */
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

/** The shard of a look, when it is due and what it is at, or undefined for another row's key. */
export function parseGcTaskKey(key: Key): { shard: number; due: number; what: string } | undefined {
  if (!key.pk.startsWith(TABLE.looksPrefix)) return undefined;
  const [due = '', what = ''] = key.sk.split('#', 2);
  return { shard: Number(key.pk.slice(TABLE.looksPrefix.length)), due: Number(due), what };
}

/** How many partitions derived work that is due is spread over. Each is read every minute. */
export const DUE_SHARDS = 4;

export const duePartition = (shard: number) => `due#${shard}`;

/** The row that says that what is derived for an object is to be looked at. It outlives the object. */
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

/** What of the deployment's choices all objects were made due for; no due row has this partition. */
export const roundsKey: Key = { pk: 'due#rounds', sk: 'rounds' };

/** The row that says who took the last turn in a namespace of a collection. */
export function turnKey(collection: Collection, namespace: string): Key {
  return { pk: `turn#${collection}#${namespace}`, sk: 'turn' };
}

/** The row that says who has something for itself alone. */
export function reservationKey(name: string): Key {
  return { pk: `reservation#${name}`, sk: 'reservation' };
}

/** The row that names, of each collection that decides who may do what, the resourceVersion that counts. */
export const accessKey: Key = { pk: 'access#versions', sk: 'versions' };

/** The row that says in which version of their schema rows are written. */
export const schemaKey: Key = { pk: 'schema#rows', sk: 'rows' };

/** Where selectors stand that are found by one anchor; `undefined` is the namespace of those that ask in all. */
export interface AnchorPlace {
  /** What they select among. */
  readonly target: Collection;
  readonly namespace?: string;
  readonly anchor: Anchor;
}

/** A row by which a selector is found: in its place, by its carrier (`name` as `nameKey` spells it) and its path there. */
export interface AnchorKeyParts extends AnchorPlace {
  readonly collection: Collection;
  readonly name: string;
  readonly path: string;
}

/** No namespace is a `*`. */
export function anchorPartition({ target, namespace = '*', anchor }: AnchorPlace): string {
  return `anchor#${target}#${namespace}#${anchor}`;
}

export function postingKey({ collection, name, path, ...place }: AnchorKeyParts): Key {
  return { pk: anchorPartition(place), sk: `${collection}#${name}#${path}` };
}

/** Neither labels nor the names of carriers hold a `#`. */
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

/** How far one is who goes over whole collections, by their names. */
export const sweepsPartition = 'sweeps#anchors';

export const sweepKey = (collection: Collection): Key => ({ pk: sweepsPartition, sk: collection });

/** The collections that are not built in. */
export const declaredPartition = 'collections#declared';

export function declaredKey(collection: Collection): Key {
  return { pk: declaredPartition, sk: collection };
}

export const headKey = (collection: Collection): Key => ({ pk: `head#${collection}`, sk: 'head' });
export const settledKey = (collection: Collection): Key => ({ pk: `head#${collection}`, sk: 'settled' });

/** How many runs of uids a collection's subscriptions are divided into. */
export const BUCKETS = 64;

/** Where a place begins among uids, which sort by it: two hexadecimal digits. */
const placeBegins = (place: number) => ((place * 256) / BUCKETS).toString(16).padStart(2, '0');

/** Of a uid, which is random: each place has as many as any other. What is no uid has a place as well. */
export function bucketOf(uid: string): number {
  let place = 0;
  while (place + 1 < BUCKETS && uid >= placeBegins(place + 1)) place += 1;
  return place;
}

/** The bounds of the sort keys of places from one on, up to another. */
export function bucketRange(from: number, until: number): { from: string; to: string } {
  return {
    from: from === 0 ? '!' : placeBegins(from),
    to: until === BUCKETS ? '~' : placeBegins(until),
  };
}

/** The cursor of the group of subscriptions whose first place this is. */
export function cursorKey(collection: Collection, group = 0): Key {
  const sk = group === 0 ? 'cursor' : `cursor#${String(group).padStart(2, '0')}`;
  return { pk: `head#${collection}`, sk };
}

/** The bounds of the sort keys of all its cursors. */
export const CURSORS = { from: 'cursor', to: 'cursor#~' };

/** The group that a cursor's sort key names. */
export function shardOfCursor({ sk }: Key): number {
  return Number(sk.split('#')[1] ?? 0);
}

/** What is known of a queue of users by its ARN: a row for each namespace whose Subscriptions name it. */
export const proofPartition = (queueArn: string) => `proof#${queueArn}`;

export function proofKey(queueArn: string, namespace: string): Key {
  return { pk: proofPartition(queueArn), sk: namespace };
}

export const subscriptionsPartition = (collection: Collection) => `subscriptions#${collection}`;

export function subscriptionKey(collection: Collection, uid: string): Key {
  return { pk: subscriptionsPartition(collection), sk: uid };
}

/** How far the restore of the table is. */
export const restoreKey: Key = { pk: 'restore', sk: 'restore' };

/** What begins a partition key: the kind of its rows, and what stands behind its first and its second `#`. */
export function parsePartition(pk: string): { kind: string; of: string; rest: string } {
  const [kind = '', of = '', ...rest] = pk.split('#');
  return { kind, of, rest: rest.join('#') };
}

/** What one subscription was told so far, where that is counted. */
export const tallyKey = (uid: string): Key => ({ pk: `tally#${uid}`, sk: 'tally' });

/** The row with the binder's lease and its position. */
export const placerKey: Key = { pk: 'placer#pods', sk: 'lease' };

/** The row that names the chunks of the world that was kept last. */
export const snapshotKey: Key = { pk: 'snapshot#world', sk: 'header' };

/** One chunk of the snapshot of that id, in a partition of its own. */
export function snapshotChunkKey(id: string, at: number): Key {
  return { pk: `snapshot#world#${id}#${at}`, sk: 'chunk' };
}

/** The open watches of one user, if they are limited; the key holds a digest of the name. */
export const watchesPartition = (user: string) => `watches#${user}`;

/** The token bucket of one user's requests, where these are bounded; the user is named by a digest. */
export const budgetKey = (user: string): Key => ({ pk: `budget#${user}`, sk: 'budget' });

export function watchKey(user: string, place: number): Key {
  return { pk: watchesPartition(user), sk: String(place) };
}

/** When a user was seen last, by a digest of the name. */
export const seenKey = (user: string): Key => ({ pk: `seen#${user}`, sk: 'seen' });
