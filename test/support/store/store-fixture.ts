import { type Collection, collectionOf, type JsonObject, type ObjectName } from '../../../lib/json/index.ts';
import { type Clock, type Logger, systemClock, systemRandom } from '../../../lib/platform/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import {
  createStore,
  type ListPage,
  type ListRequest,
  type Store,
  type Table,
  type WriteOutcome,
} from '../../../lib/store/index.ts';

/** A logger that keeps its warnings and throws at an error: nothing here may log one. */
export function createStrictLogger(): Logger & { warnings: string[] } {
  const warnings: string[] = [];
  return {
    warnings,
    debug: () => {},
    info: () => {},
    warn: (message) => {
      warnings.push(message);
    },
    error: (message, data) => {
      throw new Error(`${message} ${JSON.stringify(data)}`);
    },
  };
}

export function openStore(table: Table, clock: Clock = systemClock, logger = createStrictLogger()): Store {
  return createStore({ table, clock, random: systemRandom, logger });
}

let collections = 0;

/** A collection that no other test uses. */
export function freshCollection(): Collection {
  collections += 1;
  return collectionOf('test', `things${collections}`);
}

/** `a` is in namespace `default`, `other/a` in `other`. */
export function named(text: string): ObjectName {
  const [name = '', namespace = 'default'] = text.split('/').reverse();
  return { namespace, name };
}

export function thing(name: string, labels: Labels, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'test/v1',
    kind: 'Thing',
    metadata: { ...named(name), uid: `uid-${name}`, labels },
    spec,
  };
}

export function put(
  store: Store,
  collection: Collection,
  name: string,
  { labels = {}, spec = {} }: { labels?: Labels; spec?: JsonObject } = {},
): Promise<WriteOutcome> {
  return store.write(collection, named(name), () => ({ kind: 'put', body: thing(name, labels, spec) }));
}

export function remove(store: Store, collection: Collection, name: string): Promise<WriteOutcome> {
  return store.write(collection, named(name), (current) =>
    current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body },
  );
}

/** Every page of a LIST, each at the first one's resourceVersion. `between` runs between pages. */
export async function listPages(
  store: Store,
  collection: Collection,
  request: ListRequest,
  between: () => Promise<unknown> = async () => {},
): Promise<ListPage[]> {
  const pages = [await store.list(collection, request)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    await between();
    pages.push(await store.list(collection, { ...request, at: pages[0]?.rv, after: next }));
  }
  return pages;
}

/** `name@rv`, for a look at a whole list at once; the namespace only where it is not the default one. */
export function spell(pages: ListPage | readonly ListPage[]): string[] {
  return [pages]
    .flat()
    .flatMap(({ items }) =>
      items.map(
        ({ name, rv }) => `${name.namespace === 'default' ? '' : `${name.namespace}/`}${name.name}@${rv}`,
      ),
    );
}
