import { authorIn, serviceAccountOf } from '../../delivery/index.ts';
import { isJsonObject, type JsonValue } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { AuthorLife } from '../../platform/index.ts';
import { isUser } from './resolve-author.ts';

const DAY = 86_400_000;
const AUTHORED: ReadonlySet<string> = new Set(['Subscription', 'Tally']);

/** The warnings for a user who creates a Subscription or a Tally that depends on this user's own permissions. */
export function authorWarnings(
  { kind, group }: ResourceType,
  created: JsonValue,
  life: AuthorLife | undefined,
): readonly string[] {
  if (group !== 'winnow.dev' || !AUTHORED.has(kind) || !isJsonObject(created)) return [];
  const author = authorIn(created);
  if (!isUser(author) || serviceAccountOf(created) !== undefined) return [];
  return [
    `this ${kind} has the permissions of user ${JSON.stringify(author.username)}${life === undefined ? '' : stops(life)}; ` +
      'set spec.serviceAccountName to run it as a service account of its namespace instead',
  ];
}

const stops = ({ ends }: AuthorLife): string =>
  `, and stops ${ends >= DAY ? `${Math.round(ends / DAY)} days` : `${Math.round(ends / 1_000)} seconds`} after the last request of that user`;
