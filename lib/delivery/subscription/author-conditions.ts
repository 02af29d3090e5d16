import { timestamp } from '../../coordination/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { parseStanding, type Standing } from './standing.ts';
import type { SubscriptionState } from './subscription-state.ts';

export const AUTHORIZED = 'Authorized';
const EXPIRES = 'AuthorExpires';
const DAY = 86_400_000;
const INSTEAD = 'spec.serviceAccountName makes it independent of users';

type Authored = Pick<SubscriptionState, 'author' | 'standing'>;

/** The condition for an author without effective permissions; undefined if delivery continues. */
export function stoppedBy(state: Authored): JsonObject | undefined {
  const standing = parseStanding(state.standing);
  if (standing?.reason === 'AuthorGone') return unauthorized(standing.reason, standing.message);
  if (standing?.reason !== 'AuthorNotSeen') return undefined;
  return unauthorized(standing.reason, whyHeld(state, standing));
}

function unauthorized(reason: string, why: string): JsonObject {
  return { type: AUTHORIZED, status: 'False', reason, message: `no changes are delivered: ${why}` };
}

/** The condition that announces the end of delivery; none for authors that need not be seen. */
export function expiryOf(state: Authored): JsonObject[] {
  const standing = parseStanding(state.standing);
  const message = standing && whenItEnds(state, standing);
  if (standing === undefined || message === undefined) return [];
  const status = standing.reason === 'AuthorExpires' ? 'True' : 'False';
  return [{ type: EXPIRES, status, reason: standing.reason, message }];
}

/** The human-readable end of delivery for an author; undefined if it does not end by itself, or has ended. */
export function whenItEnds(state: Authored, standing: Standing): string | undefined {
  const who = `user ${JSON.stringify(nameIn(state))}`;
  if (standing.reason === 'WrittenByUser') {
    return `written by ${who}: delivery stops ${lasting(standing.after)} after Winnow last saw that user; ${INSTEAD}`;
  }
  if (standing.reason !== 'AuthorExpires') return undefined;
  const when = timestamp(standing.at);
  return `delivery stops at ${when} unless Winnow sees the author, ${who}, before that; ${INSTEAD}`;
}

/** The human-readable reason why delivery is held for an author that was not seen. */
export function whyHeld(state: Pick<Authored, 'author'>, { seen }: { readonly seen: number }): string {
  const who = `the author, user ${JSON.stringify(nameIn(state))},`;
  return `${who} was last seen at ${timestamp(seen)}; delivery continues with the next request of that user`;
}

function nameIn({ author }: Pick<Authored, 'author'>): string {
  return author === '' ? '' : String(JSON.parse(author).username);
}

function lasting(ms: number): string {
  return ms >= DAY ? `${Math.round(ms / DAY)} days` : `${Math.round(ms / 1_000)} seconds`;
}
