import type { Collection } from '../json/index.ts';
import type { ListPage, ListRequest, Store } from './contract.ts';

/**
 * A whole LIST in pages of at most `request.limit` objects. All pages are at the resourceVersion of the first.
 *
 * @throws {GoneError} {@link FutureVersionError}
 */
export async function* eachPage(
  store: Pick<Store, 'list'>,
  collection: Collection,
  request: ListRequest,
): AsyncGenerator<ListPage, void> {
  let { at, after } = request;
  do {
    const page = await store.list(collection, { ...request, at, after });
    yield page;
    at = page.rv;
    after = page.next;
  } while (after !== undefined);
}
