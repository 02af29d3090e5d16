import type { AuthorLife, Clock, Logger } from '../../platform/index.ts';
import type { Seen, Store } from '../../store/index.ts';
import { ANONYMOUS, type ApiRequest, MASTERS } from '../http/index.ts';

export interface SightingsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly life: AuthorLife;
}

/** How long a process trusts a record that it read, in ms. Another process may have recorded other groups since. */
const TRUSTED = 60_000;
/** The most users in the cache of a process. */
const MOST = 1_000;
const ACCOUNTS = 'system:serviceaccount:';

/** The cached record of one user. */
interface Known extends Seen {
  /** The end of trust in this record, in ms since the epoch. */
  readonly until: number;
}

/**
 * Records the last requests and the groups of users: at most once an hour, and at once if the groups change. Keep one
 * instance in each process, because it caches the records.
 *
 * It records only users without another record: no service accounts, no IAM principals, no members of
 * `system:masters`. For an impersonated request, it records the caller with the caller's own groups.
 */
export class Sightings {
  readonly #options: SightingsOptions;
  /** Ordered by the time of the last record, oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(options: SightingsOptions) {
    this.#options = options;
  }

  /**
   * Records the user of a request. It makes no call to the table if the process checked the user within the last
   * minute and the groups are the same. An error is logged, and the next request tries again.
   */
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
    // If another process was faster, the next request reads again.
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
