import { createHash } from 'node:crypto';
import { type Clock, type Random, TABLE } from '../../../platform/index.ts';
import { watchesPartition, watchKey } from '../../keys.ts';
import type { Row, Table } from '../../table.ts';

export interface OpenWatchesOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  /** The maximum number of concurrent watches of one user. */
  readonly most: number;
}

export interface AskedWatch {
  /** The user's name, of any length and any characters. */
  readonly user: string;
  /** The id of this watch: a repeated request receives the same permit. */
  readonly id: string;
}

/** How long after the planned end of a watch its permit stays taken, if its function crashed, in ms. */
const MARGIN = 10_000;
/** The maximum number of tries to take a permit, if concurrent requests take the free ones first. */
const LOOKS = 5;

/**
 * The watch permits of each user, up to the limit: rows, each taken on condition that it is free. So the limit holds
 * for concurrent requests. If a holder crashes, its permit is free again soon after the planned end of its watch.
 */
export class OpenWatches {
  readonly #options: OpenWatchesOptions;

  constructor(options: OpenWatchesOptions) {
    this.#options = options;
  }

  /** Returns the permit of a watch that lasts for `lasts` ms; undefined if all are taken. */
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

  /** Frees the permit of a watch. If another watch has taken the permit meanwhile, nothing changes. */
  async leave({ user, id }: AskedWatch, place: number): Promise<void> {
    const isOwn = { attribute: 'id', is: '=', value: id } as const;
    await this.#options.table.delete(watchKey(digest(user), place), [isOwn]);
  }

  /** Returns a random free permit, so that concurrent requests seldom choose the same one. */
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

/** The digest of a user name. Keys must be short, and must not hold the separator of their parts. */
const digest = (user: string) => createHash('sha256').update(user).digest('base64url');
