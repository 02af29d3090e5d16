import type { Author, Standing as Said } from '../../delivery/index.ts';
import type { AuthorLife } from '../../platform/index.ts';
import { AUTHENTICATED } from '../http/index.ts';
import type { AccessEntries } from './access-entries.ts';
import { userOf } from './access-entry.ts';
import type { LookedUp } from './look-up-authors.ts';
import { accountGroups, accountIn, isOver } from './service-account.ts';

/** The current identity of an author. */
export interface Standing {
  /** By whose rights is told; undefined: the author does not exist any more, and nothing is told. */
  readonly user: { readonly name: string; readonly groups: readonly string[] } | undefined;
  /** What its status says of that; undefined: nothing. */
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
 * The user that an author is now: of a service account by its uid, of an IAM principal by its AccessEntry, of any other
 * user by the groups that were seen last.
 */
export function userNow(author: Author, known: Known): Standing {
  if (author.principal !== undefined) return principalNow(author, author.principal, known);
  if (author.uid !== undefined) return accountNow(author, author.uid, known);
  return personNow(author, known);
}

/**
 * An author that was not seen for too long keeps these rights: a held Subscription needs no new snapshot for that.
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

/** The stored author is the effective user, whose name or groups an AccessEntry may have given. */
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
