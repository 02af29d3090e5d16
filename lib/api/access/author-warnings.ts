import { isJsonObject, type JsonValue } from '../../store/index.ts';
import { authorIn, serviceAccountOf } from '../../watch/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { isUser } from './resolve-author.ts';

const AUTHORED: ReadonlySet<string> = new Set(['Subscription', 'Tally']);

/** What a user is told who creates a Subscription or a Tally that ends with that user. */
export function authorWarnings({ kind, group }: ResourceType, created: JsonValue): readonly string[] {
  if (group !== 'winnow.dev' || !AUTHORED.has(kind) || !isJsonObject(created)) return [];
  const author = authorIn(created);
  if (!isUser(author) || serviceAccountOf(created) !== undefined) return [];
  return [
    `this ${kind} has the rights of User ${JSON.stringify(author.username)} and ends with that user: ` +
      'set spec.serviceAccountName to run it as a service account of its namespace, which it needs to outlive people',
  ];
}
