import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import type { Row } from '../../../lib/store/index.ts';
import { AccessRecord, keyOf } from '../access/access-record.ts';
import type { ReceivedMessage, Snapshot } from '../history.ts';
import type { World } from '../world/world.ts';
import { type Identity, identityOf, isAlive, NAMESPACE, READERS } from './identities.ts';

/** The virtual ms from which a Subscription or a Tally was as this writer wrote it. */
export interface Writing {
  readonly from: number;
  readonly writer: string;
}

/** The messages in an author's queue and the count of its Tally, when all is quiet. */
export interface Received {
  readonly identity: Identity;
  /** Whether the run leaves its identity unchanged. */
  readonly isSpared: boolean;
  readonly messages: readonly ReceivedMessage[];
  readonly known: readonly Snapshot[];
  readonly count: number;
  /** All objects that it selects, as `namespace/name@resourceVersion`. */
  readonly objects: readonly string[];
}

/**
 * The truth of a run: every state of each author's identity, the writers of each Subscription and Tally, and every
 * version of an object.
 */
export class AuthorRecord {
  /**
   * By author. Each record follows only its author's object. Accounts are written concurrently, so a write may be
   * certain while its row is not readable yet.
   */
  readonly #access = new Map<string, AccessRecord>();
  readonly received: Received[] = [];
  /** When each version of an object was written, in virtual ms, by `collection namespace/name@resourceVersion`. */
  readonly versions = new Map<string, number>();
  /** By username: the groups in which a user was last seen, and the virtual ms from which on. */
  readonly #sightings = new Map<string, { readonly from: number; readonly body: JsonObject }[]>();
  readonly #writings = new Map<string, Writing[]>();

  constructor(authors: number) {
    const identities = Array.from({ length: authors }, (_, at) => identityOf(at));
    for (const { name, deciding } of identities) {
      if (deciding !== undefined) this.#access.set(name, new AccessRecord([deciding]));
    }
  }

  /** Follows the transactions of the table, in the order in which they take place. */
  follow(world: World, told: readonly Collection[]): void {
    for (const access of this.#access.values()) access.follow(world);
    const partitions = new Map(told.map((collection) => [`object#${collection}`, collection]));
    world.table.watch(({ after }) => {
      if (after === undefined || !after.pk.startsWith('seen#')) return;
      const { user } = after;
      const body = { spec: { groups: JSON.parse(String(after.groups)) } };
      const before = this.#sightings.get(String(user)) ?? [];
      this.#sightings.set(String(user), [...before, { from: world.scheduler.now, body }]);
    });
    world.table.watchTransactions((items) => {
      const rows = items.flatMap((item) => ('put' in item ? [item.put] : []));
      for (const row of rows) {
        const collection = partitions.get(row.pk);
        const now = world.scheduler.now;
        if (collection !== undefined) this.versions.set(`${collection} ${row.sk}@${row.rv}`, now);
        this.#noteWriter(row, now);
      }
    });
  }

  /**
   * The states of an author's object, and the states that a client knows of.
   * @throws if the author is a user, which has no object
   */
  accessOf({ name }: Identity): AccessRecord {
    const access = this.#access.get(name);
    if (access === undefined) throw new Error(`${name} has no object`);
    return access;
  }

  /** Each change of the writer of an author's Subscription or Tally; the first entry is its creation. */
  writings(collection: Collection, { name }: Identity): readonly Writing[] {
    return this.#writings.get(`object#${collection} ${NAMESPACE}/${name}`) ?? [];
  }

  /**
   * Whether, at some time between two moments, the author was the writer and could see the objects, as far as a client
   * knew.
   */
  wasAlive(identity: Identity, between: readonly [number, number]): boolean {
    const writers = this.writings(SUBSCRIPTIONS, identity).filter(({ from }) => from <= between[1]);
    return this.#identityBetween(identity, between).some((body) =>
      writers.some(({ writer }) => isAlive(identity, writer, body)),
    );
  }

  /** Whether the last writer of a Subscription or of a Tally is alive at the end. */
  isAliveAtLast(collection: Collection, identity: Identity): boolean {
    const writer = this.writings(collection, identity).at(-1)?.writer ?? '';
    return isAlive(identity, writer, this.identityNow(identity));
  }

  /** The current service account or AccessEntry; for a user, the groups in which it was last seen. */
  identityNow(identity: Identity): JsonObject | undefined {
    const { deciding } = identity;
    if (deciding !== undefined) return this.accessOf(identity).states.at(-1)?.objects.get(keyOf(deciding));
    return this.#seen(identity).at(-1)?.body;
  }

  #identityBetween(
    identity: Identity,
    [since, at]: readonly [number, number],
  ): readonly (JsonObject | undefined)[] {
    const { deciding } = identity;
    if (deciding !== undefined) {
      const states = this.accessOf(identity).between(since, at);
      return states.map(({ objects }) => objects.get(keyOf(deciding)));
    }
    const seen = this.#seen(identity);
    const least = Math.max(
      0,
      seen.findLastIndex(({ from }) => from <= since),
    );
    return seen
      .slice(least)
      .filter(({ from }) => from <= at)
      .map(({ body }) => body);
  }

  /** Until a user is seen, the groups at the time of writing count. */
  #seen({ username }: Identity) {
    return [{ from: 0, body: { spec: { groups: [READERS] } } }, ...(this.#sightings.get(username) ?? [])];
  }

  #noteWriter({ pk, sk, body }: Row, from: number): void {
    if (pk !== `object#${SUBSCRIPTIONS}` && pk !== `object#${TALLIES}`) return;
    const key = `${pk} ${sk}`;
    const writings = this.#writings.get(key) ?? [];
    const writer = String(objectAt(metadataOf(decodeBody(body)).annotations).writer);
    if (writings.at(-1)?.writer === writer) return;
    this.#writings.set(key, [...writings, { from, writer }]);
  }
}
