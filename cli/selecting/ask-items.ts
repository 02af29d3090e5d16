import type { KubernetesObject } from '../client.ts';
import { Connection, openAccess } from '../connection/index.ts';
import type { SelectingOptions } from './command.ts';
import { findObject } from './find-object.ts';

/** Objects per page. */
const PAGE = 500;

/** Reads all items of an object's subresource, page by page. */
export async function askItems(
  object: string,
  { subresource, ...options }: SelectingOptions & { readonly subresource: 'selected' | 'selectedby' },
): Promise<readonly KubernetesObject[]> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), interrupted.signal);
  const path = `${await findObject(connection, object, options.namespace)}/${subresource}`;
  const items: KubernetesObject[] = [];
  for (let token: unknown = ''; typeof token === 'string'; ) {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (token !== '') query.set('continue', token);
    if (options.path !== undefined) query.set('path', options.path);
    const { items: page = [], metadata } = await connection.ask('GET', `${path}?${query}`);
    items.push(...page);
    const { continue: next } = (metadata ?? {}) as { readonly continue?: string };
    token = next === '' ? undefined : next;
  }
  return items;
}
