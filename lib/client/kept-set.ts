import { type Change, changeOf, changesBetween } from './change.ts';
import { type KubernetesObject, keyOf } from './kubernetes-object.ts';
import type { ChangeMessage, Message } from './message.ts';
import { FIRST, type Position, place, turned } from './position.ts';
import { ProofCheck } from './proof.ts';
import type { Entry, ReplicaStore } from './store.ts';
import { isNewer, NO_VERSION, type Version } from './version.ts';

/** All objects at one resourceVersion, from a LIST. */
export interface Listing {
  readonly resourceVersion: string;
  readonly items: AsyncIterable<KubernetesObject> | Iterable<KubernetesObject>;
  /** The edit of the Subscription whose selection was listed, if known. */
  readonly edit?: number | undefined;
}

/**
 * Reports a change before it is stored. So each change is reported at least once, even if the process crashes in
 * between.
 */
export type Tell = (change: Change | { readonly kind: 'synced' }) => Promise<void>;

export interface KeptSetOptions {
  readonly store: ReplicaStore;
  readonly tell: Tell;
  readonly now?: () => number;
}

/** Another process wrote the position. Decisions that used the old one must be made again. */
export class OvertakenError extends Error {
  override name = 'OvertakenError';
}

/**
 * The set that a Subscription selects, in a store. This class implements the protocol of a consumer:
 *
 * - Each message may arrive more than once, and after newer ones.
 * - The process may crash between any two operations of the store.
 * - Once a message is taken, it may be deleted from its queue.
 */
export class KeptSet {
  readonly #store: ReplicaStore;
  readonly #tell: Tell;
  readonly #now: () => number;
  #position: Position = FIRST;
  #isVerified = false;
  /** The check for the generation that receives changes. The first message with a proof creates it. */
  #proof: { readonly generation: number; readonly check: ProofCheck } | undefined;

  constructor({ store, tell, now = Date.now }: KeptSetOptions) {
    this.#store = store;
    this.#tell = tell;
    this.#now = now;
  }

  /**
   * Enables the check of proofs. It reads the whole set once, so it is meant for a single consumer that keeps
   * running.
   */
  verify(): void {
    this.#isVerified = true;
  }

  get position(): Position {
    return this.#position;
  }

  /** Reads the position, and completes what a crash left unfinished. */
  async open(): Promise<void> {
    this.#position = (await this.#store.readPosition()) ?? FIRST;
    await this.#clear();
  }

  /** Whether no other process has written the position since. */
  async isCurrent(): Promise<boolean> {
    const stored = await this.#store.readPosition();
    return (stored?.revision ?? 0) === this.#position.revision;
  }

  /**
   * Applies one message.
   *
   * @throws {OvertakenError}
   */
  async take(message: Message): Promise<void> {
    if (place(this.#position, message) === 'over') return;
    const position = turned(this.#position, message);
    if (position.next !== this.#position.next) await this.#carryOver(position, message);
    if (position !== this.#position) await this.#move(position);
    await this.#clear();
    if (message.kind === 'change') await this.#change(message);
    if (message.kind === 'snapshot-end' || this.#hasEnded()) await this.#complete();
  }

  /**
   * Replaces the shown set with a LIST. Does nothing while a new snapshot arrives, because the snapshot replaces the
   * set too. `queue` is the queue to follow after this, if no queue is followed yet.
   *
   * @throws {OvertakenError}
   */
  async replace(list: () => Promise<Listing>, queue = ''): Promise<void> {
    if (this.#position.next !== 0) return;
    // The new generation counts as garbage until it is complete, so a crash leaves nothing behind.
    const fresh = this.#position.last + 1;
    await this.#move({
      ...this.#position,
      last: fresh,
      garbage: [...this.#position.garbage, fresh],
    });
    const { resourceVersion, items, edit = await this.#highestEdit() } = await list();
    for await (const object of items) {
      const version = { edit, rv: object.metadata.resourceVersion ?? resourceVersion };
      await this.#store.put(fresh, { key: keyOf(object), version, object: JSON.stringify(object) });
    }
    await this.#show(fresh, { edit, rv: resourceVersion }, queue);
  }

  async get(key: string): Promise<KubernetesObject | undefined> {
    const entry = await this.#store.read(this.#position.shown, key);
    return entry?.object === undefined ? undefined : JSON.parse(entry.object);
  }

  async *entries(): AsyncGenerator<Entry & { readonly object: string }> {
    for await (const { object, ...entry } of this.#store.entries(this.#position.shown)) {
      if (object !== undefined) yield { ...entry, object };
    }
  }

  /**
   * Without a total order, messages that follow an ERROR may arrive before it. Their entries are copied into the new
   * generation.
   */
  async #carryOver({ next, last, base }: Position, message: Message): Promise<void> {
    if (message.kind !== 'start-over' || base === 0 || message.isOrdered) return;
    const { shown, next: before, garbage } = this.#position;
    await this.#move({ ...this.#position, last, garbage: [...garbage, next] });
    for (const generation of [shown, before]) {
      for await (const entry of this.#store.entries(generation)) {
        if (entry.version.edit >= base) await this.#store.put(next, entry);
      }
    }
  }

  async #change(message: ChangeMessage): Promise<void> {
    const { key, version, object, isGone } = message;
    const { shown, next, floor } = this.#position;
    const isShown = next === 0;
    const generation = isShown ? shown : next;
    const proof = await this.#proofFor(message, generation);
    const isListed = isShown && !isNewer({ edit: 0, rv: version.rv }, { edit: 0, rv: floor.rv });
    const before = await this.#store.read(generation, key);
    const isStale =
      (before !== undefined && !isNewer(version, before.version)) || (isListed && version.edit <= floor.edit);
    if (!isStale) {
      const after = { key, version, object: isGone ? undefined : JSON.stringify(object) };
      const change = isShown ? changeOf(before, after, object) : undefined;
      if (change !== undefined) await this.#tell(change);
      await this.#store.put(generation, after);
      proof?.change(key, before?.object && before.version.rv, isGone ? undefined : version.rv);
    }
    if (message.proof === undefined || proof === undefined) return;
    try {
      proof.check(message.proof, !isStale && !isListed);
    } catch (error) {
      this.#proof = undefined;
      throw error;
    }
  }

  /** The check, with the set as it was before the message. */
  async #proofFor({ proof }: ChangeMessage, generation: number): Promise<ProofCheck | undefined> {
    if (proof === undefined || !this.#isVerified) return undefined;
    if (this.#proof?.generation === generation) return this.#proof.check;
    const check = new ProofCheck(this.#now);
    for await (const { key, version, object } of this.#store.entries(generation)) {
      if (object !== undefined) check.change(key, undefined, version.rv);
    }
    this.#proof = { generation, check };
    return check;
  }

  /** Whether the new snapshot has ended. Without a total order, its end may arrive before its beginning. */
  #hasEnded(): boolean {
    const { next, base, ended } = this.#position;
    return next !== 0 && base > 0 && ended >= base;
  }

  async #complete(): Promise<void> {
    const { next, isSynced } = this.#position;
    if (next !== 0) return this.#show(next, NO_VERSION);
    if (isSynced) return;
    await this.#tell({ kind: 'synced' });
    await this.#move({ ...this.#position, isSynced: true });
  }

  /**
   * Reports the difference between the shown generation and `fresh`. Then one write makes `fresh` the shown
   * generation.
   */
  async #show(fresh: number, floor: Version, queue = ''): Promise<void> {
    const { shown, garbage } = this.#position;
    const changes = changesBetween(this.#store.entries(shown), this.#store.entries(fresh));
    for await (const change of changes) await this.#tell(change);
    await this.#tell({ kind: 'synced' });
    await this.#move({
      ...this.#position,
      queue: this.#position.queue || queue,
      shown: fresh,
      next: 0,
      isSynced: true,
      floor,
      garbage: [...garbage.filter((generation) => generation !== fresh), shown],
    });
    await this.#clear();
  }

  async #clear(): Promise<void> {
    if (this.#position.garbage.length === 0) return;
    for (const generation of this.#position.garbage) await this.#store.drop(generation);
    await this.#move({ ...this.#position, garbage: [] });
  }

  async #move(position: Position): Promise<void> {
    const raised = { ...position, revision: this.#position.revision + 1 };
    if (!(await this.#store.writePosition(raised))) {
      await this.open();
      throw new OvertakenError('another client writes the same Subscription into the same store');
    }
    this.#position = raised;
  }

  async #highestEdit(): Promise<number> {
    let edit = this.#position.floor.edit;
    for await (const { version } of this.#store.entries(this.#position.shown)) {
      edit = Math.max(edit, version.edit);
    }
    return edit;
  }
}
