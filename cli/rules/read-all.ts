import { type JsonObject, metadataOf, objectsIn } from '../../lib/json/index.ts';
import type { Connection } from '../connection/index.ts';

/** Objects per page. */
const PAGE = 500;

/** All objects of a path, with `kind` and `apiVersion`. All pages show the same resourceVersion. */
export async function readAll(
  connection: Pick<Connection, 'askInput'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const { items } of pagesOf(connection, path, query)) objects.push(...items);
  return objects;
}

export interface Page {
  readonly resourceVersion: string;
  /** With `kind` and `apiVersion`, which the items of a list do not have. */
  readonly items: readonly JsonObject[];
}

export async function* pagesOf(
  connection: Pick<Connection, 'askInput'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<Page> {
  for (let token = ''; ; ) {
    const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(token && { continue: token }) });
    const list: JsonObject = { ...(await connection.askInput('GET', `${path}?${asked}`)) };
    const { resourceVersion, continue: next = '' } = metadataOf(list);
    const kind = String(list.kind).replace(/List$/, '');
    const items = objectsIn(list.items).map((item) => ({
      apiVersion: String(list.apiVersion),
      kind,
      ...item,
    }));
    yield { resourceVersion: String(resourceVersion), items };
    if (next === '') return;
    token = String(next);
  }
}
