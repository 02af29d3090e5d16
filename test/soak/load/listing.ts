import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Asked, Listing, Snapshot } from '../../simulation/history.ts';
import { PODS, type SoakClient, snapshotIn } from './soak-client.ts';

/** Objects that a reader asks for, and the path under which they are. */
export interface Place {
  readonly path: string;
  readonly asked: Asked;
}

export const SELECTORS = ['app=x', 'app=y,tier!=a', 'tier in (a,b)', ''];
const PAUSE = 400;

/** The pods of the load that a selector selects. */
export function pods(labelSelector: string): Place {
  return { path: PODS, asked: { namespace: 'default', ...(labelSelector !== '' && { labelSelector }) } };
}

/** A list in pages of one state; undefined where it did not come to its end. */
export async function list(
  client: SoakClient,
  name: string,
  { path, asked }: Place,
): Promise<Listing | undefined> {
  const invoked = client.now;
  const items: Snapshot[] = [];
  const limit = Math.random() < 0.5 || path !== PODS ? '500' : '4';
  let next = '';
  let pages = 0;
  do {
    const { labelSelector = '' } = asked;
    const query = new URLSearchParams({ labelSelector, limit, ...(next !== '' && { continue: next }) });
    const answer = await client.send('GET', `${path}?${query}`);
    if (answer?.status !== 200) return undefined;
    const { metadata, items: page = [] } = answer.body as { metadata?: JsonObject; items?: JsonObject[] };
    items.push(...page.map(snapshotIn));
    pages += 1;
    next = String(metadata?.continue ?? '');
    const rv = Number(metadata?.resourceVersion);
    if (next === '') return { client: name, asked, invoked, returned: client.now, rv, items, pages };
  } while (next !== '');
  return undefined;
}

/** The same until it comes to its end. */
export async function insistOnList(client: SoakClient, name: string, place: Place): Promise<Listing> {
  for (;;) {
    const listing = await list(client, name, place);
    if (listing !== undefined) return listing;
    await sleep(PAUSE);
  }
}

export async function keepListing(
  client: SoakClient,
  name: string,
  { listings, signal }: { readonly listings: Listing[]; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const selector = SELECTORS[Math.floor(Math.random() * SELECTORS.length)] ?? '';
    const listing = await list(client, name, pods(selector));
    if (listing !== undefined) listings.push(listing);
    await sleep(PAUSE);
  }
}
