import { type Collection, metadataOf } from '../../lib/json/index.ts';
import { decodeBody } from '../../lib/store/body/body-codec.ts';
import { type OwnerReference, ownerReferencesOf, type Row, sweeps } from '../../lib/store/index.ts';
import { JournalChange, parseEntry } from '../../lib/store/journal.ts';
import { GC_TASK_SHARDS, JOURNAL_SHARDS } from '../../lib/store/keys.ts';
import { LEAVES, type Ownership, SETS } from './actors/owners.ts';
import type { Violation } from './checks/index.ts';
import type { World } from './world/world.ts';

/** The time in ms that no transaction of a scenario exceeds. */
const UNDER_WAY = 20_000;

/** The life of one object, by its uid. */
interface Life {
  readonly uid: string;
  readonly changes: readonly JournalChange[];
}

/**
 * Checks the garbage collector's promises, once all is quiet:
 * - An object that has lost its last owner is deleted.
 * - An object with an owner is not deleted by the collector.
 * - An orphaned dependent stays.
 * - An owner in foreground deletion goes after the dependents that block it.
 * - No GC task is left.
 */
export function collected(world: World, { asked }: Ownership): Violation[] {
  const lives = livesOf(world, SETS);
  const leaves = livesOf(world, LEAVES);
  const uids = new Set(objectsOf(world).map(({ uid }) => String(uid)));
  return [
    ...violation('an object names an owner that is gone', forgotten(world, uids)),
    ...violation('an object is held for ever', held(world)),
    ...violation('an object vanished that has an owner, or nobody deleted', [
      ...lives.filter(({ uid }) => !asked.has(uid)).flatMap((life) => vanished(life, lives)),
      ...leaves.filter(({ uid }) => !asked.has(uid)).flatMap((life) => vanishedLeaf(life, uids)),
    ]),
    ...violation(
      'an object went with an owner that left it behind',
      lives.filter((life) => !asked.has(life.uid)).flatMap((life) => notOrphaned(life, lives)),
    ),
    ...violation(
      'an owner in the foreground went before what blocked it',
      lives.flatMap((life) => overtaken(life, lives)),
    ),
    ...violation('a look is owed still', looks(world)),
    ...violation('the rows of owners are not those of the references', strayRows(world, lives)),
  ];
}

/** The rows of all objects, of both collections. */
function objectsOf({ table }: World): Row[] {
  return [SETS, LEAVES].flatMap((collection) => table.rows.partition(`object#${collection}`));
}

function livesOf({ table }: World, collection: Collection): Life[] {
  const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) => shard);
  const changes = shards
    .flatMap((shard) => table.rows.partition(`journal#${collection}#${shard}`).map(parseEntry))
    .filter((entry): entry is JournalChange => entry instanceof JournalChange)
    .sort((left, right) => left.rv - right.rv);
  const lives = Map.groupBy(changes, ({ state }) => state.uid);
  return [...lives].map(([uid, own]) => ({ uid, changes: own }));
}

function forgotten(world: World, uids: ReadonlySet<string>): string[] {
  return objectsOf(world).flatMap(({ sk, body }) => {
    const gone = ownerReferencesOf(decodeBody(body)).filter(({ uid }) => !uids.has(uid));
    return gone.map(({ uid }) => `${sk} names ${uid}`);
  });
}

function held(world: World): string[] {
  return objectsOf(world)
    .filter(({ body }) => metadataOf(decodeBody(body)).deletionTimestamp !== undefined)
    .map(({ sk }) => sk);
}

/** The change with which an object's deletion began, and its owners at that time. */
function leaving({ changes }: Life): { at: JournalChange; owners: readonly OwnerReference[] } | undefined {
  const at = changes.find(
    ({ type, state }) => type === 'DELETED' || metadataOf(state.body).deletionTimestamp !== undefined,
  );
  return at && { at, owners: ownerReferencesOf(at.state.body) };
}

function vanished(life: Life, lives: readonly Life[]): string[] {
  const left = leaving(life);
  if (left === undefined) return [];
  const { at, owners } = left;
  const present = owners.filter(({ uid }) => isThere(lives, uid, at.rv));
  if (owners.length > 0 && present.length === 0) return [];
  return [`${at.nameKey} at ${at.rv}, whose owners are ${JSON.stringify(owners)}`];
}

/**
 * Checks a leaf. Its resourceVersions cannot be compared with its owners', so only owners that exist at the end count.
 */
function vanishedLeaf(life: Life, uids: ReadonlySet<string>): string[] {
  const left = leaving(life);
  if (left === undefined) return [];
  const present = left.owners.filter(({ uid }) => uids.has(uid));
  if (left.owners.length > 0 && present.length === 0) return [];
  return [`${left.at.nameKey} at ${left.at.rv}, whose owners are ${JSON.stringify(left.owners)}`];
}

/** Whether an owner existed and was not in foreground deletion. */
function isThere(lives: readonly Life[], uid: string, rv: number): boolean {
  const last = lives.find((life) => life.uid === uid)?.changes.findLast((change) => change.rv <= rv);
  return last !== undefined && last.type !== 'DELETED' && sweeps(last.state.body) !== 'foreground';
}

function notOrphaned(life: Life, lives: readonly Life[]): string[] {
  const left = leaving(life);
  return (left?.owners ?? []).flatMap(({ uid }) => {
    const mark = markOf(lives, uid, 'orphan');
    const named = namedAt(life, uid);
    if (mark === undefined || named === undefined || named.rv > mark.rv) return [];
    return [`${left?.at.nameKey} at ${left?.at.rv}, left behind by ${uid} at ${mark.rv}`];
  });
}

function markOf(
  lives: readonly Life[],
  uid: string,
  how: 'orphan' | 'foreground',
): JournalChange | undefined {
  return lives.find((life) => life.uid === uid)?.changes.find(({ state }) => sweeps(state.body) === how);
}

/** The change in which an object first named an owner. */
function namedAt({ changes }: Life, uid: string): JournalChange | undefined {
  return changes.find(({ state }) => ownerReferencesOf(state.body).some((owner) => owner.uid === uid));
}

function overtaken({ uid, changes }: Life, lives: readonly Life[]): string[] {
  const mark = markOf(lives, uid, 'foreground');
  const end = changes.find(({ type }) => type === 'DELETED');
  if (mark === undefined || end === undefined) return [];
  return lives.flatMap((life) => {
    const named = namedAt(life, uid);
    const last = life.changes.findLast(({ rv }) => rv < end.rv);
    const isEarly = named !== undefined && named.time + UNDER_WAY < mark.time;
    const blocks = ownerReferencesOf(last?.state.body ?? {}).some(
      (owner) => owner.uid === uid && owner.blocks,
    );
    const isLeft = isEarly && blocks && last?.type !== 'DELETED';
    return isLeft ? [`${end.nameKey} at ${end.rv}, before ${last?.nameKey}`] : [];
  });
}

/** GC tasks that are left. Those for chunks wait until the journal's entries have expired. */
function looks({ table }: World): string[] {
  const shards = Array.from({ length: GC_TASK_SHARDS }, (_, shard) => `looks#${shard}`);
  const rows = shards.flatMap((pk) => table.rows.partition(pk)).filter(({ what }) => what !== 'chunks');
  return rows.map(({ pk, sk }) => `${pk} ${sk}`);
}

function strayRows(world: World, lives: readonly Life[]): string[] {
  const { table } = world;
  const expected = objectsOf(world).flatMap(({ pk, sk, body }) =>
    ownerReferencesOf(decodeBody(body)).map(({ uid }) => `owner#${uid} ${pk.slice('object#'.length)}#${sk}`),
  );
  const owners = lives.map(({ uid }) => `owner#${uid}`);
  const rows = owners.flatMap((pk) => table.rows.partition(pk).map(({ sk }) => `${pk} ${sk}`));
  return [
    ...rows.filter((row) => !expected.includes(row)),
    ...expected.filter((row) => !rows.includes(row)).map((row) => `${row} is missing`),
  ];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'collected', message, evidence: [...evidence] }];
}
