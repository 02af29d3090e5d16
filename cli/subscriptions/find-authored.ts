import { valueAt } from '../../lib/json/index.ts';
import type { KubernetesObject } from '../client.ts';
import type { Connection } from '../connection/index.ts';

/** A Subscription or a Tally. */
export interface Authored {
  readonly kind: 'Subscription' | 'Tally';
  /** The path of the object in the API. */
  readonly path: string;
  readonly object: KubernetesObject;
}

const ROOT = '/apis/winnow.dev/v1';
const KINDS = [
  { kind: 'Subscription', plural: 'subscriptions' },
  { kind: 'Tally', plural: 'tallies' },
] as const;

/** The criteria of a search for Subscriptions and Tallies. */
export interface Search {
  /** The username or the ARN in `status.author` or `status.writer`; absent: all objects. */
  readonly author?: string;
  /** Objects per page. */
  readonly page?: number;
}

/**
 * Reads the Subscriptions and Tallies of all namespaces, page by page.
 *
 * @throws {Fault} the endpoint refused a list, or did not answer
 */
export async function findAuthored(
  connection: Connection,
  { author, page = 500 }: Search,
): Promise<readonly Authored[]> {
  const found: Authored[] = [];
  for (const { kind, plural } of KINDS) {
    for await (const object of itemsOf(connection, plural, page)) {
      if (author !== undefined && !isOf(object, author)) continue;
      const { namespace = '', name } = object.metadata;
      const path = `${ROOT}/namespaces/${encodeURIComponent(namespace)}/${plural}/${encodeURIComponent(name)}`;
      found.push({ kind, path, object: { ...object, apiVersion: 'winnow.dev/v1', kind } });
    }
  }
  return found;
}

async function* itemsOf(
  connection: Connection,
  plural: string,
  page: number,
): AsyncGenerator<KubernetesObject> {
  for (let token: unknown = ''; typeof token === 'string'; ) {
    const query = new URLSearchParams({ limit: String(page) });
    if (token !== '') query.set('continue', token);
    const answer = await connection.ask('GET', `${ROOT}/${plural}?${query}`);
    yield* answer.items ?? [];
    token = valueAt(answer, 'metadata.continue') || undefined;
  }
}

/** Whether an object has this author or writer, by username or ARN. */
function isOf(object: KubernetesObject, author: string): boolean {
  return ['author', 'writer'].some((role) =>
    ['username', 'principal'].some((field) => valueAt(object, `status.${role}.${field}`) === author),
  );
}
