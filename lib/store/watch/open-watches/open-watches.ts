import { createHash } from 'node:crypto';
import { type Clock, type Random, TABLE } from '../../../platform/index.ts';
import { watchesPartition, watchKey } from '../../keys.ts';
import type { Row, Table } from '../../table.ts';

export interface OpenWatchesOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  /** Of one user, at once. */
  readonly most: number;
}

export interface AskedWatch {
  /** The user's name, of any length and any characters. */
  readonly user: string;
  /** The id of this watch: a repeated request has the same permit. */
  readonly id: string;
}

/** How long a place is kept after the end of a watch whose function died with it, in ms. */
const MARGIN = 10_000;
/** How often a free place is looked for again that others took meanwhile. */
const LOOKS = 5;

/**
 * The watch permits of each user, up to the limit: rows, each taken on condition that it is free. So the limit holds
 * for concurrent requests. The permit of a dead holder is free when its watch would end.
 */
export class OpenWatches {
  readonly #options: OpenWatchesOptions;

  constructor(options: OpenWatchesOptions) {
    this.#options = options;
  }

  /** The place that a watch has which lasts for so many ms; undefined where all are taken. */
  async take({ user, id }: AskedWatch, lasts: number): Promise<number | undefined> {
    const { table, clock } = this.#options;
    for (let look = 0; look < LOOKS; look += 1) {
      const now = clock.now();
      const taken = (await this.#rows(user)).filter(({ until }) => Number(until) >= now);
      const own = taken.find((row) => row.id === id);
      if (own !== undefined) return Number(own.sk);
      const place = this.#freeBeside(taken);
      if (place === undefined) return undefined;
      const until = now + lasts + MARGIN;
      const row = { ...watchKey(digest(user), place), id, until, [TABLE.ttl]: Math.ceil(until / 1_000) };
      const isFree = { any: [{ missing: 'pk' }, { attribute: 'until', is: '<', value: now } as const] };
      if ((await table.put(row, [isFree])).outcome === 'done') return place;
    }
    return undefined;
  }

  /** Lets go of a place, unless it is somebody else's by now. */
  async leave({ user, id }: AskedWatch, place: number): Promise<void> {
    const isOwn = { attribute: 'id', is: '=', value: id } as const;
    await this.#options.table.delete(watchKey(digest(user), place), [isOwn]);
  }

  /** Of those that are free any, so that who asks side by side seldom meets. */
  #freeBeside(taken: readonly Row[]): number | undefined {
    const { most, random } = this.#options;
    if (taken.length >= most) return undefined;
    const used = new Set(taken.map(({ sk }) => Number(sk)));
    const free = Array.from({ length: most }, (_, place) => place).filter((place) => !used.has(place));
    return free[Math.floor(random.fraction() * free.length)];
  }

  async #rows(user: string): Promise<Row[]> {
    const { rows } = await this.#options.table.query({
      partition: watchesPartition(digest(user)),
      from: '0',
      to: '~',
    });
    return [...rows];
  }
}

/** Keys are short, and hold no character that separates their parts. */
const digest = (user: string) => createHash('sha256').update(user).digest('base64url');
