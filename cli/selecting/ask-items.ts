import type { KubernetesObject } from '../client.ts';
import { Connection, explainInput, openAccess, type Reply } from '../connection/index.ts';
import { findObject, notFound } from '../finding/index.ts';
import type { SelectingOptions } from './options.ts';

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
  const found = await findObject(connection, object, options.namespace);
  const path = `${found.path}/${subresource}`;
  const items: KubernetesObject[] = [];
  for (let token: unknown = ''; typeof token === 'string'; ) {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (token !== '') query.set('continue', token);
    if (options.path !== undefined) query.set('path', options.path);
    const reply = await connection.send('GET', `${path}?${query}`);
    if (reply.status === 404 && nameIn(reply) === found.name) throw notFound(found);
    if (reply.status >= 400 || reply.body === undefined) throw explainInput(reply, `GET ${path}?${query}`);
    const { items: page = [], metadata } = reply.body;
    items.push(...page);
    const { continue: next } = (metadata ?? {}) as { readonly continue?: string };
    token = next === '' ? undefined : next;
  }
  return items;
}

/** The name of the object that a Status is about. */
function nameIn({ body }: Reply): string | undefined {
  const { details } = (body ?? {}) as { readonly details?: { readonly name?: string } };
  return details?.name;
}
