import type { Collection } from '../../json/index.ts';
import { objectPartition, reservationKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';
import { stateWithoutBody } from './readable-bodies.ts';

/** The holder of a reservation: the uid and resourceVersion of its object's row. */
interface Holder {
  readonly uid: string;
  readonly rv: number;
}

/** The holders of reservations. If two objects claim one reservation, the object that was written later holds it. */
export class ReservedNames {
  readonly #table: Table;
  readonly #holders = new Map<string, Holder>();
  /** The reservations of each holder, by its uid. */
  readonly #names = new Map<string, Set<string>>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Reads the reservations of all objects of a collection. */
  async learn(collection: Collection): Promise<void> {
    let more = true;
    for (let from = '!'; more; ) {
      const page = await this.#table.query({ partition: objectPartition(collection), from, to: '~' });
      for (const row of page.rows) {
        const { reserved = [], uid, rv } = stateWithoutBody(row);
        for (const name of reserved) this.#claim(name, { uid, rv });
      }
      more = page.more;
      from = `${page.rows.at(-1)?.sk ?? ''} `;
    }
  }

  /**
   * Claims reservations for an object that was written at `rv`, and returns those that it keeps. Its other
   * reservations are released.
   */
  claim(names: readonly string[], holder: Holder): readonly string[] {
    const had = [...(this.#names.get(holder.uid) ?? [])].filter((name) => !names.includes(name));
    for (const name of had) this.#release(name);
    return names.filter((name) => this.#claim(name, holder));
  }

  /** Deletes the rows of reservations, so that a write can take them. */
  async free(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#table.delete(reservationKey(name));
  }

  /** Whether the row of a reservation is right. */
  isTrue({ uid }: Row, name: string): boolean {
    return uid === undefined || this.#holders.get(name)?.uid === uid;
  }

  #claim(name: string, holder: Holder): boolean {
    const known = this.#holders.get(name);
    const isKept = known === undefined || known.uid === holder.uid || known.rv < holder.rv;
    if (!isKept) return false;
    this.#release(name);
    this.#holders.set(name, holder);
    const names = this.#names.get(holder.uid) ?? new Set();
    this.#names.set(holder.uid, names.add(name));
    return true;
  }

  #release(name: string): void {
    const holder = this.#holders.get(name);
    this.#holders.delete(name);
    if (holder !== undefined) this.#names.get(holder.uid)?.delete(name);
  }
}
