import type { Author, Standing as Said } from '../../delivery/index.ts';
import type { AuthorLife } from '../../platform/index.ts';
import { AUTHENTICATED } from '../http/index.ts';
import type { AccessEntries } from './access-entries.ts';
import { userOf } from './access-entry.ts';
import type { LookedUp } from './look-up-authors.ts';
import { accountGroups, accountIn, isOver } from './service-account.ts';

/** The current identity of an author. */
export interface Standing {
  /**
   * The user whose permissions limit delivery. Undefined if the author does not exist any more, so that nothing is
   * delivered.
   */
  readonly user: { readonly name: string; readonly groups: readonly string[] } | undefined;
  /** The standing that the status reports; undefined if there is nothing to report. */
  readonly standing?: Said;
}

export interface Known {
  readonly entries: AccessEntries;
  readonly looked: LookedUp;
  /** In ms since the epoch. */
  readonly now: number;
  readonly life: AuthorLife;
}

/**
 * The current user of an author. A service account is found by its uid, an IAM principal by its AccessEntry, and any
 * other user by the groups of its last request.
 */
export function userNow(author: Author, known: Known): Standing {
  if (author.principal !== undefined) return principalNow(author, author.principal, known);
  if (author.uid !== undefined) return accountNow(author, author.uid, known);
  return personNow(author, known);
}

/**
 * A user whose last request is too long ago keeps the permissions. Delivery stops instead, so no new snapshot is needed
 * when the user returns.
 */
function personNow({ username, groups }: Author, { looked, now, life }: Known): Standing {
  const seen = looked.seen(username);
  const user = { name: username, groups: seen?.groups ?? groups };
  const end = (seen?.at ?? now) + life.ends;
  if (seen !== undefined && now >= end) return { user, standing: { reason: 'AuthorNotSeen', seen: seen.at } };
  if (now >= end - life.announced) return { user, standing: { reason: 'AuthorExpires', at: end } };
  return { user, standing: { reason: 'WrittenByUser', after: life.ends } };
}

function principalNow(author: Author, principal: string, { entries }: Known): Standing {
  const entry = entries.of(principal);
  const own = { username: principal, groups: [AUTHENTICATED] };
  if (entry === undefined) {
    if (hadEntry(author, principal)) return gone(`no AccessEntry names ${principal} any more`);
    return { user: { name: principal, groups: own.groups } };
  }
  const { username, groups } = userOf(entry, own);
  return { user: { name: username, groups } };
}

/** Whether an AccessEntry gave the stored author its name or groups. */
function hadEntry({ username, groups }: Author, principal: string): boolean {
  return username !== principal || groups.some((group) => group !== AUTHENTICATED);
}

function accountNow({ username }: Author, uid: string, { looked, now }: Known): Standing {
  const { namespace, name } = accountIn(username) ?? { namespace: '', name: username };
  const found = looked.account(username);
  if (found === undefined || found.uid !== uid || isOver(found.body, now)) {
    return gone(`the service account ${namespace}/${name} with the uid ${uid} does not exist any more`);
  }
  return { user: { name: username, groups: accountGroups(namespace) } };
}

const gone = (message: string): Standing => ({
  user: undefined,
  standing: { reason: 'AuthorGone', message },
});
