import { TIMING } from '../../../lib/platform/index.ts';
import { FutureVersionError, GoneError, type ListPage, type ListRequest } from '../../../lib/store/index.ts';
import type { Asked, Listing, Snapshot } from '../history.ts';
import type { Ended } from '../world/process.ts';
import type { Cluster } from './cluster.ts';
import { filterOf, PODS, snapshotOf } from './pods.ts';

export interface ListingWanted {
  readonly client: string;
  readonly asked: Asked;
  /** Objects of one page; undefined: all on one page. */
  readonly limit?: number | undefined;
  /** Exactly this resourceVersion. */
  readonly at?: number | undefined;
  /** Ms between two pages. */
  readonly pause: () => number;
}

/** `gone`: the resourceVersion is too old, or too new. `failed`: no answer. */
export type Listed =
  | { readonly how: 'done'; readonly listing: Listing }
  | { readonly how: 'gone' | 'failed' };

/** Performs one LIST with all its pages, each from another process. */
export async function list(cluster: Cluster, wanted: ListingWanted): Promise<Listed> {
  const invoked = cluster.now;
  const { client, asked, limit, at } = wanted;
  const filter = filterOf(asked);
  const items: Snapshot[] = [];
  let page: ListPage | undefined;
  let pages = 0;
  do {
    if (page !== undefined) await cluster.world.scheduler.sleep(wanted.pause());
    const from = page === undefined ? { at } : { at: page.rv, after: page.next };
    const request = withoutUndefined({ ...filter, limit, ...from });
    const ended: Ended<ListPage> = await cluster.read.invoke(TIMING.gateway, ({ store, clock }) =>
      store.within(clock.deadline(TIMING.request)).list(PODS, request),
    );
    if (ended.how !== 'done') return { how: isGone(ended) ? 'gone' : 'failed' };
    page = ended.result;
    pages += 1;
    items.push(...page.items.map(snapshotOf));
  } while (page.next !== undefined);
  const listing = {
    client,
    asked,
    invoked,
    returned: cluster.now,
    rv: page.rv,
    items,
    pages,
    ...(at === undefined ? {} : { at }),
  };
  cluster.recorder.listings.push(listing);
  return { how: 'done', listing };
}

function isGone(ended: Ended<unknown>): boolean {
  return (
    ended.how === 'failed' && (ended.error instanceof GoneError || ended.error instanceof FutureVersionError)
  );
}

function withoutUndefined(
  request: { [Key in keyof ListRequest]: ListRequest[Key] | undefined },
): ListRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  ) as unknown as ListRequest;
}
