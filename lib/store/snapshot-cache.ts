import type { ChangeRange, ListPage } from './contract.ts';
import { GoneError } from './errors.ts';
import { FIRST_VERSION } from './head.ts';
import { nameKey } from './keys.ts';
import type { ObjectState } from './object.ts';

/** The maximum number of changes to apply one by one. Beyond it, the objects are listed again. */
const MOST_CHANGES = 200;

/** The reads by which a cache updates its collection. */
export interface SnapshotReads {
  /**
   * Returns changes above `after`, covering at least one resourceVersion.
   *
   * @throws {GoneError}
   */
  changes(after: number, upTo: number): Promise<ChangeRange>;
  list(): AsyncIterable<ListPage>;
}

/** All objects of a collection at one resourceVersion, by their names' keys. */
export interface Snapshot<Kept> {
  readonly rv: number;
  readonly objects: ReadonlyMap<string, Kept>;
}

export interface SnapshotCacheOptions<Kept> {
  /** Returns what the cache keeps of an object. */
  keep(state: ObjectState): Kept;
  /**
   * Whether an empty cache lists the objects. Otherwise it follows a short journal from its start, which takes one request
   * less, but reads every former state too.
   */
  readonly listsFirst?: boolean;
}

/**
 * All objects of one collection, cached between requests at one resourceVersion. Each caller names the head that it has
 * read. So after a process was frozen, its cache may be old, but is never wrong.
 */
export class SnapshotCache<Kept> {
  readonly #options: SnapshotCacheOptions<Kept>;
  #last: Snapshot<Kept> = { rv: FIRST_VERSION, objects: new Map() };

  constructor(options: SnapshotCacheOptions<Kept>) {
    this.#options = options;
  }

  /** The objects at `head`, or at a later resourceVersion: the same snapshot until something changes. */
  async upTo(head: number, reads: SnapshotReads): Promise<Snapshot<Kept>> {
    const last = this.#last;
    const behind = head - last.rv;
    if (behind === 0) return last;
    const { keep, listsFirst = false } = this.#options;
    const isFirst = listsFirst && last.rv === FIRST_VERSION;
    const isNear = behind > 0 && behind <= MOST_CHANGES && !isFirst;
    const follow = async () => (isNear ? followed(last, { head, reads, keep }) : undefined);
    const next = (await follow()) ?? (await listed({ reads, keep }));
    // Another request may have updated the cache meanwhile.
    if (next.rv > this.#last.rv || behind < 0) this.#last = next;
    return next;
  }
}

interface Reading<Kept> {
  readonly reads: SnapshotReads;
  keep(state: ObjectState): Kept;
}

/** Applies the changes up to `head`. Undefined if the changes are compacted. */
async function followed<Kept>(
  last: Snapshot<Kept>,
  { head, reads, keep }: Reading<Kept> & { readonly head: number },
): Promise<Snapshot<Kept> | undefined> {
  const objects = new Map(last.objects);
  try {
    for (let rv = last.rv; ; ) {
      if (rv >= head) return { rv, objects };
      const { upTo, changes } = await reads.changes(rv, head);
      for (const { nameKey: key, after } of changes) {
        if (after === undefined) {
          objects.delete(key);
        } else {
          objects.set(key, keep(after));
        }
      }
      rv = upTo;
    }
  } catch (error) {
    if (error instanceof GoneError) return undefined;
    throw error;
  }
}

async function listed<Kept>({ reads, keep }: Reading<Kept>): Promise<Snapshot<Kept>> {
  const objects = new Map<string, Kept>();
  let rv = FIRST_VERSION;
  for await (const page of reads.list()) {
    rv = page.rv;
    for (const object of page.items) objects.set(nameKey(object.name), keep(object));
  }
  return { rv, objects };
}
