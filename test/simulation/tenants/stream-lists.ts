import { metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Asked, Snapshot, WatchedEvent, WatchRecord } from '../history.ts';
import { askedFor } from './asked-for.ts';
import { isOfAll, NAMESPACE, nameOf } from './grants.ts';
import { snapshotIn, type TenantOptions } from './tenant.ts';

/** The lifetime of a function, in ms. */
const TIMEOUT = 330_000;

/**
 * Lets a tenant list by watching: each watch begins with the existing objects, and a bookmark ends them. The checks
 * treat this as a list, and a watch from there.
 */
export async function streamLists(options: TenantOptions, streams: WatchRecord[]): Promise<void> {
  const { cluster, scenario } = options;
  const { chance, scheduler } = cluster.world;
  for (let turn = 0; turn < (scenario.everyVerb ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const streamed = await stream(options, turn);
    if (streamed !== undefined) streams.push(streamed);
  }
}

async function stream(options: TenantOptions, turn: number): Promise<WatchRecord | undefined> {
  const { at, ask, cluster, record } = options;
  const { chance } = cluster.world;
  const who = nameOf(at);
  const client = `${who}.streams.${turn}`;
  const own = chance.chance(0.3) ? 'tier=a' : '';
  const invoked = cluster.now;
  const leaves = new AbortController();
  const items: Snapshot[] = [];
  const events: WatchedEvent[] = [];
  let asked: Asked | undefined;
  let from: number | undefined;
  await ask({
    method: 'GET',
    url: urlOf(at, own, 1 + chance.below(4)),
    user: { username: who, groups: ['system:authenticated'] },
    patience: TIMEOUT,
    signal: leaves.signal,
    answered: (status) => {
      if (status === 200) asked = askedFor(options, { own, since: invoked, until: cluster.now });
      if (asked === undefined) leaves.abort();
    },
    hears: ({ type, object }) => {
      const now = cluster.now;
      const body = objectAt(object);
      if (type === 'ERROR') {
        events.push({ at: now, type, reason: 'gone' });
      } else if (type === 'BOOKMARK') {
        const rv = Number(metadataOf(body).resourceVersion);
        if (from !== undefined) events.push({ at: now, type, rv });
        if (from === undefined && asked !== undefined) {
          cluster.recorder.listings.push({ client, asked, invoked, returned: now, rv, items, pages: 1 });
        }
        from ??= rv;
      } else if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
        const snapshot = snapshotIn(body);
        record.shown.push({ who, how: `stream: ${type}`, since: invoked, at: now, object: snapshot });
        if (from === undefined) items.push(snapshot);
        if (from !== undefined) events.push({ at: now, type, object: snapshot });
      }
    },
  });
  if (asked === undefined || from === undefined) return undefined;
  return { client, asked, spells: [{ from, begins: 'list', events }], cache: [], isGivenUp: true };
}

function urlOf(at: number, own: string, seconds: number): string {
  const query = new URLSearchParams({
    watch: 'true',
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
    timeoutSeconds: `${seconds}`,
    ...(own !== '' && { labelSelector: own }),
  });
  return `${isOfAll(at) ? '/api/v1/pods' : `/api/v1/namespaces/${NAMESPACE}/pods`}?${query}`;
}
