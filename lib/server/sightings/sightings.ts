import type { AuthorLife, Clock, Logger } from '../../platform/index.ts';
import type { Seen, Store } from '../../store/index.ts';
import { ANONYMOUS, type ApiRequest, MASTERS } from '../http/index.ts';

export interface SightingsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly life: AuthorLife;
}

/** For so long a process goes by what it read: another one may have noted other groups since. In ms. */
const TRUSTED = 60_000;
/** Users that a process remembers. */
const MOST = 1_000;
const ACCOUNTS = 'system:serviceaccount:';

/** What a process knows of one user. */
interface Known extends Seen {
  /** Until when it goes by that, in ms since the epoch. */
  readonly until: number;
}

/**
 * Notes which users ask, and in which groups they are: at most once in an hour, and at once where the groups are
 * others. Keep one in each process: it remembers which users it has noted.
 *
 * Only users without another record are noted: no service accounts, no IAM principals, no members of
 * `system:masters`. A request that is answered as another user notes the one who sent it, with the groups of that
 * one.
 */
export class Sightings {
  readonly #options: SightingsOptions;
  /** The one noted longest ago first. */
  readonly #known = new Map<string, Known>();

  constructor(options: SightingsOptions) {
    this.#options = options;
  }

  /** Takes no request where the process has looked within a minute. What fails is logged, and tried with the next one. */
  async note(store: Store, request: ApiRequest): Promise<void> {
    const { username, groups } = request.user;
    if (!isNoted(request)) return;
    const { clock, logger } = this.#options;
    const now = clock.now();
    const known = this.#known.get(username);
    if (known !== undefined && now < known.until && this.#isAsNoted(known, groups, now)) return;
    try {
      await this.#look(store, { user: username, groups, at: now });
    } catch (error) {
      logger.warn('the last request of a user could not be recorded', { user: username, error });
    }
  }

  async #look(store: Store, { user, groups, at }: Seen & { readonly user: string }): Promise<void> {
    const before = (await store.lastSeen([user])).get(user);
    if (before !== undefined && this.#isAsNoted(before, groups, at)) return this.#keep(user, before, at);
    const isDone = await store.noteSeen({ user, groups, at, before });
    // Where somebody else was faster, the next request looks again.
    if (isDone) this.#keep(user, { groups, at }, at);
  }

  #isAsNoted(seen: Seen, groups: readonly string[], now: number): boolean {
    return now - seen.at < this.#options.life.noted && isSame(seen.groups, groups);
  }

  #keep(user: string, seen: Seen, now: number): void {
    this.#known.delete(user);
    this.#known.set(user, { ...seen, until: now + TRUSTED });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
  }
}

function isNoted({ user: { username, groups }, principal, bound }: ApiRequest): boolean {
  if (principal !== undefined || bound !== undefined || groups.includes(MASTERS)) return false;
  return username !== ANONYMOUS.username && !username.startsWith(ACCOUNTS);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((group) => other.includes(group));
}
