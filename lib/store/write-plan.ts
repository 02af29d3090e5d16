import type { Collection, JsonObject, ObjectName } from '../json/index.ts';
import { type Random, TIMING } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import { placeApart } from './bodies-apart.ts';
import { encodedBytes } from './body/index.ts';
import type { BodyPlaces, DividedBodies } from './chunks/index.ts';
import type { Mutation } from './contract.ts';
import { LabelLimitError } from './errors.ts';
import { draftEntry, type EntryDraft, entryRow, expiresAt, linksOf, relabelRow } from './journal.ts';
import { nameKey, objectKey, parseNameKey, tombstoneKey } from './keys.ts';
import { type LabelPlaces, labelItems, slotAttributes, slotBytes } from './labels/index.ts';
import { type ObjectState, stateOf } from './object.ts';
import { refuseLarge, refuseLong, refuseMoreValues, rowRoom } from './object-limits.ts';
import type { Origin } from './origin.ts';
import { askedLooks, lookRow, type OwnerPlan, ownerItems, planOwners, type Written } from './owners/index.ts';
import type { Anchoring, AnchorPlan } from './postings/index.ts';
import {
  accessEntries,
  accessItems,
  type Fence,
  fenceItem,
  planReservations,
  type QuotaVersion,
  type ReservationPlan,
  reservationItems,
  turnItem,
} from './preconditions/index.ts';
import { CHUNKS_SCHEMA, FAMILIAR_SCHEMA, HISTORY_SCHEMA, KNOWN_SCHEMAS } from './schema/index.ts';
import type { TransactItem } from './table.ts';

/** A transaction has 100 actions at most. Four are for the object, journal entry, relabel entry and tombstone. */
const MOST_ENTRIES = 96;
/** The limit on the bytes of label entries. Each entry carries all labels, and a transaction carries 4 MB. */
const MOST_LABEL_ENTRY_BYTES = 2_000_000;

/** The plan for the postings of a write that does not change them. */
const NO_ANCHORS = { added: [], former: [], items: 0, rows: 0, bytes: 0 } as const;

/** Everything that a write puts and deletes, before its resourceVersion and time are known. */
export interface WritePlan {
  readonly name: string;
  readonly before: ObjectState | undefined;
  readonly deletes: boolean;
  readonly uid: string;
  /** The object's labels after the write; none after a delete. */
  readonly labels: Labels;
  readonly entry: EntryDraft;
  /** The object after the write, or the last state of a deleted one. */
  readonly body: JsonObject;
  /**
   * Labels whose entries are put, and label keys whose entries are deleted, if those keys have no slot. Both are
   * empty if the write does not change labels.
   */
  readonly indexed: readonly (readonly [key: string, value: string])[];
  readonly unindexed: readonly string[];
  readonly owners: OwnerPlan;
  readonly turn: QuotaVersion | undefined;
  readonly reservations: ReservationPlan;
  readonly anchors: AnchorPlan;
  readonly fence: Fence | undefined;
  /** The input of the write's GC tasks, except `hasDependents`, which is read separately. */
  readonly written: Omit<Written, 'hasDependents'>;
}

interface Planning {
  readonly before: ObjectState | undefined;
  readonly mutation: Exclude<Mutation, { kind: 'none' }>;
  /** The plan of the object's postings, if the write changes them. */
  readonly anchors?: AnchorPlan | undefined;
  /** The row schema in which the write is stored. */
  readonly schema: number;
}

/**
 * Plans a write.
 *
 * @throws {TooLargeError} {@link LabelLimitError}
 */
export function planWrite(
  collection: Collection,
  name: ObjectName,
  { before, mutation, schema, ...planned }: Planning,
): WritePlan {
  const { anchors = { ...NO_ANCHORS, kept: before?.anchored ?? [] } } = planned;
  const deletes = mutation.kind === 'delete';
  const { labels, uid } = stateOf(name, 0, mutation.body);
  const isFamiliar = schema >= FAMILIAR_SCHEMA;
  const entry = draftEntry(name, before, { body: mutation.body, deletes, isFamiliar });
  refuseLong(before?.body, mutation.body, { entry, isInline: schema < CHUNKS_SCHEMA });
  refuseMoreValues(before?.body, mutation.body, entry.values);
  const oldKeys = Object.keys(before?.labels ?? {});
  const after = deletes ? undefined : mutation.body;
  const owners = planOwners(before, after);
  const { expires, turn, reserves, fence } = mutation.kind === 'put' ? mutation : { reserves: [] };
  const plan = {
    name: nameKey(name),
    before,
    deletes,
    uid,
    labels: deletes ? {} : labels,
    entry,
    body: mutation.body,
    indexed: entry.relabels && !deletes ? Object.entries(labels) : [],
    unindexed: entry.relabels ? oldKeys.filter((key) => deletes || !Object.hasOwn(labels, key)) : [],
    owners,
    turn: turn === undefined ? undefined : { namespace: name.namespace, after: turn },
    reservations: planReservations(before, reserves),
    anchors,
    fence,
    written: { before: before?.body, after, addsOwners: owners.adds, expires },
  };
  refuseManyLabels(collection, plan);
  return plan;
}

interface Placement {
  /** The bodies that this write has divided; undefined if the row schema has no chunk rows. */
  readonly divided: DividedBodies | undefined;
  readonly random: Random;
  /** In ms since the epoch. */
  readonly now: number;
  readonly mostBytes?: number | undefined;
}

/**
 * The places of a plan's bodies: in the object's row and the journal entry, if both fit.
 *
 * @throws {TooLargeError} they do not fit, and the row schema has no chunk rows
 */
export function bodiesOf(
  collection: Collection,
  plan: WritePlan,
  { divided, mostBytes, ...outside }: Placement,
): BodyPlaces | Promise<BodyPlaces> {
  const { name, before, body, entry, anchors } = plan;
  const { body: encoded, previous } = entry;
  const slots = slotBytes(name, stateOf(parseNameKey(name), 0, body).labels);
  const room = rowRoom(body, entry, mostBytes) - Buffer.byteLength(entry.labels) - slots - anchors.bytes;
  const bytes = encodedBytes(encoded) + encodedBytes(previous);
  if (bytes <= room && before?.apart === undefined) {
    return { object: { body: encoded }, entry: { body: encoded, previous } };
  }
  if (divided === undefined) refuseLarge(body, entry, bytes - room);
  // The deletion of an object in chunk rows puts a GC task for them.
  if (!plan.deletes && plan.indexed.length > 0) refuseManyLabels(collection, plan, 1);
  return placeApart({ ...plan, ...outside, collection, room, divided: divided ?? new Map() });
}

/** The plan with a journal entry that repeats a state: nothing differs, and the entry continues the object's history. */
export function repeating(plan: WritePlan, repeats: ObjectState | undefined): WritePlan {
  if (repeats === undefined) return plan;
  const { rv: previousRv, mainRv: previousMain = 0 } = repeats;
  const type = plan.deletes ? 'DELETED' : 'MODIFIED';
  const same = { type, previous: '{}', previousRv, previousMain, changesMain: false, repeats: true } as const;
  return { ...plan, entry: { ...plan.entry, ...same } };
}

/**
 * Checks that the write fits a transaction, and that the later deletion of the object fits one too.
 * @throws {LabelLimitError}
 */
function refuseManyLabels(collection: Collection, plan: WritePlan, more = 0): void {
  const { indexed, unindexed, owners, reservations, anchors, written } = plan;
  if (!plan.deletes) {
    const { kept, taken, given } = reservations;
    const looks = askedLooks({ ...written, hasDependents: false }, 0).length;
    const rows = [plan.turn, plan.fence, plan.before?.apart].filter((one) => one !== undefined).length;
    const access = accessEntries(collection);
    const others = looks + rows + taken.length + given.length + anchors.items + access;
    refuseEntries(plan, indexed.length + unindexed.length + owners.put.length + owners.gone.length + others);
    if (indexed.length + owners.put.length + taken.length + anchors.items > 0) {
      const stays = owners.tracked.length + kept.length + anchors.rows + access + more;
      refuseEntries(plan, Object.keys(plan.labels).length + stays);
    }
  }
  const entryBytes =
    Buffer.byteLength(plan.entry.labels) + plan.name.length * 2 + collection.length * 3 + 600;
  const bytes = plan.indexed.length * entryBytes;
  if (bytes > MOST_LABEL_ENTRY_BYTES) {
    throw new LabelLimitError(
      `the index entries of the labels may take ${bytes} bytes, because each entry holds all labels; the limit is ${MOST_LABEL_ENTRY_BYTES}`,
    );
  }
}

function refuseEntries({ owners }: WritePlan, entries: number): void {
  if (entries <= MOST_ENTRIES) return;
  if (owners.tracked.length + owners.gone.length === 0) {
    throw new LabelLimitError(
      `one write can index ${MOST_ENTRIES} labels, old and new together, and this one has ${entries}`,
    );
  }
  throw new LabelLimitError(
    `one object can have ${MOST_ENTRIES} labels and owners, old and new together, and this one has ${entries}`,
    owners.put.length > 0 ? 'metadata.ownerReferences' : 'metadata.labels',
  );
}

/**
 * Refuses to delete an owner whose labels leave no room in the transaction for the GC task of its dependents.
 * @throws {LabelLimitError}
 */
export function refuseFullOwner({ unindexed, owners, reservations, anchors, before }: WritePlan): void {
  const goes = owners.gone.length + reservations.given.length + anchors.items + (before?.apart ? 1 : 0);
  if (unindexed.length + goes < MOST_ENTRIES) return;
  throw new LabelLimitError(
    `an object that others name as their owner is deleted with ${MOST_ENTRIES - 1} labels at most: remove a label first`,
  );
}

/** The label keys whose index places (slot or overflow) a plan depends on. */
export function labelKeysOf({ labels, unindexed }: WritePlan): string[] {
  return [...Object.keys(labels), ...unindexed];
}

/** The values that turn a plan into a transaction. */
interface Commitment {
  readonly rv: number;
  readonly bodies: BodyPlaces;
  /** The index place of each of the plan's label keys. */
  readonly places: LabelPlaces;
  readonly time: number;
  readonly origin?: Origin | undefined;
  /** Whether other objects name this one as their owner; read for deletes only. */
  readonly hasDependents?: boolean;
  /** The object's postings, if the write changes them. */
  readonly anchoring?: Anchoring | undefined;
  /** The new secret of the access row, if the write creates one. */
  readonly secret?: string | undefined;
  /** The schema version of the rows; the newest by default. */
  readonly schema?: number;
  /** The lifetime of the journal entry and the tombstone, in ms; the shortest one by default. */
  readonly lifetime?: number;
}

/**
 * The plan at a resourceVersion, as one transaction.
 *
 *   object        put or deleted, if it is still in the state that was read; its row holds the slots' attributes
 *   tombstone     a delete puts one. A create requires that no newer one exists. Otherwise a create that began before
 *                 a create and delete by other writers would commit below them
 *   journal entry put, if no entry exists at this resourceVersion
 *   relabel entry and the entries of labels without a slot, if labels changed: all of them, as each carries all labels
 *   owner rows    of references that were added, changed or removed
 *   GC tasks      that the write requires; a reader that sees the deletion can rely on them
 *   quota version replaced, if the write depends on one
 *   reservations  added ones, if no object holds them and none released them since; and removed ones
 *   postings      of selectors that were added, changed or removed
 *   access row    of collections that define permissions: it records this write
 *   fence         checked, if the write has one
 *
 * The journal entry is always the second item.
 */
export function transactionOf(
  collection: Collection,
  plan: WritePlan,
  commitment: Commitment,
): TransactItem[] {
  const { rv, bodies, places, time, origin, hasDependents = false, anchoring, secret } = commitment;
  const { schema = KNOWN_SCHEMAS.newest, lifetime = TIMING.expiry } = commitment;
  const ttl = expiresAt(time, lifetime);
  const { name, before } = plan;
  const entry: EntryDraft = { ...plan.entry, ...origin };
  const linked = schema >= HISTORY_SCHEMA;
  const key = objectKey(collection, name);
  const unchanged =
    before === undefined ? [{ missing: 'pk' }] : [{ attribute: 'rv', is: '=', value: before.rv } as const];
  const object: TransactItem = plan.deletes
    ? { delete: key, condition: unchanged }
    : {
        put: {
          ...objectRow(plan, places, anchoring),
          ...bodies.object,
          ...key,
          rv,
          ...(linked && mainVersion(plan, rv)),
        },
        condition: unchanged,
      };
  const journal: TransactItem = {
    put: {
      ...entryRow(collection, entry, { rv, time, bodies: bodies.entry }),
      ...(linked && linksOf(entry)),
      ttl,
    },
    condition: [{ missing: 'pk' }],
  };
  const looks = askedLooks({ ...plan.written, hasDependents }, time);
  const relabel: TransactItem[] = entry.relabels ? [{ put: relabelRow(collection, rv, entry, time) }] : [];
  return [
    object,
    journal,
    ...relabel,
    ...tombstoneItems(collection, plan, rv, ttl),
    ...labelItems(collection, { ...plan, labels: entry.labels }, places),
    ...ownerItems(collection, name, plan.owners),
    ...looks.map((look) => ({ put: lookRow(look, { collection, rv, name, uid: plan.uid }) })),
    ...(bodies.released?.(chunksDue(time, lifetime)) ?? []),
    ...(plan.turn === undefined ? [] : [turnItem(collection, plan.turn, { rv, time })]),
    ...reservationItems(plan.reservations, { uid: plan.uid, rv, time }),
    ...(anchoring?.itemsAt(time) ?? []),
    ...(plan.fence === undefined ? [] : [fenceItem(plan.fence)]),
    ...accessItems(collection, rv, secret),
  ];
}

/**
 * When chunks may be deleted that only entries up to `time` can reference, in ms: no reader, by any clock, still takes the
 * last of these entries for unexpired.
 */
export const chunksDue = (time: number, lifetime: number) => time + lifetime + TIMING.request + TIMING.skew;

/** The object's row without its key, resourceVersion and body. */
function objectRow(plan: WritePlan, places: LabelPlaces, anchoring: Anchoring | undefined) {
  const { anchored } = anchoring ?? { anchored: plan.anchors.kept };
  const { name, uid, entry, labels, owners, reservations } = plan;
  return {
    uid,
    labels: entry.labels,
    heap: entry.heap,
    ...slotAttributes(name, labels, places),
    ...(owners.tracked.length > 0 && { owners: JSON.stringify(owners.tracked) }),
    ...(reservations.kept.length > 0 && { reserved: JSON.stringify(reservations.kept) }),
    ...(anchored.length > 0 && { anchors: JSON.stringify(anchored) }),
  };
}

/** The attribute with the newest resourceVersion that changed more than the status; none if it is not known. */
function mainVersion({ entry }: WritePlan, rv: number): { mainRv?: number } {
  const mainRv = entry.changesMain ? rv : entry.previousMain;
  return mainRv === 0 ? {} : { mainRv };
}

function tombstoneItems(collection: Collection, plan: WritePlan, rv: number, ttl: number): TransactItem[] {
  const key = tombstoneKey(collection, plan.name);
  if (plan.deletes) return [{ put: { ...key, rv, ttl } }];
  if (plan.before !== undefined) return [];
  return [{ check: key, condition: [{ any: [{ missing: 'pk' }, { attribute: 'rv', is: '<', value: rv }] }] }];
}
