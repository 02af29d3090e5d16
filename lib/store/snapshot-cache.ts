import type { ChangeRange, ListPage } from './contract.ts';
import { GoneError } from './errors.ts';
import { FIRST_VERSION } from './head.ts';
import { nameKey } from './keys.ts';
import type { ObjectState } from './object.ts';

/** Changes that are followed one by one; beyond, the objects are listed anew. */
const MOST_CHANGES = 200;

/** How a cache reads its collection. */
export interface SnapshotReads {
  /** Changes above `after`, at least one of them. @throws {GoneError} */
  changes(after: number, upTo: number): Promise<ChangeRange>;
  list(): AsyncIterable<ListPage>;
}

/** The objects at one resourceVersion, by their names' keys. */
interface Snapshot {
  readonly rv: number;
  readonly objects: ReadonlyMap<string, ObjectState>;
}

/**
 * All objects of one small collection, kept between requests at one resourceVersion. A process that was frozen is
 * therefore never wrong, only behind: each caller names the head that it has read.
 */
export class SnapshotCache {
  #last: Snapshot = { rv: FIRST_VERSION, objects: new Map() };

  /** The objects at `head`, or at a later resourceVersion. */
  async upTo(head: number, reads: SnapshotReads): Promise<readonly ObjectState[]> {
    const last = this.#last;
    const behind = head - last.rv;
    if (behind !== 0) {
      const isNear = behind > 0 && behind <= MOST_CHANGES;
      const next = (isNear ? await followed(last, head, reads) : undefined) ?? (await listed(reads));
      // Somebody else may have read on meanwhile.
      if (next.rv > this.#last.rv || behind < 0) this.#last = next;
      return [...next.objects.values()];
    }
    return [...last.objects.values()];
  }
}

/** Undefined where the changes are not told any more. */
async function followed(last: Snapshot, head: number, reads: SnapshotReads): Promise<Snapshot | undefined> {
  const objects = new Map(last.objects);
  try {
    for (let rv = last.rv; ; ) {
      if (rv >= head) return { rv, objects };
      const { upTo, changes } = await reads.changes(rv, head);
      for (const { nameKey: key, after } of changes) {
        if (after === undefined) {
          objects.delete(key);
        } else {
          objects.set(key, after);
        }
      }
      rv = upTo;
    }
  } catch (error) {
    if (error instanceof GoneError) return undefined;
    throw error;
  }
}

async function listed(reads: SnapshotReads): Promise<Snapshot> {
  const objects = new Map<string, ObjectState>();
  let rv = FIRST_VERSION;
  for await (const page of reads.list()) {
    rv = page.rv;
    for (const object of page.items) objects.set(nameKey(object.name), object);
  }
  return { rv, objects };
}
