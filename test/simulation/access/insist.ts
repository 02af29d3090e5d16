import type { Cluster } from '../actors/cluster.ts';
import type { Ask, Asked } from '../api/index.ts';
import type { Chance } from '../world/chance.ts';
import type { AccessRecord } from './access-record.ts';
import type { Deciding } from './policies.ts';

const RETRY = 500;

export interface Insisting {
  readonly cluster: Cluster;
  /** Receives the acknowledged writes. */
  readonly access: AccessRecord;
  readonly ask: Ask;
}

/** Repeats a write of a deciding object, or its deletion if there is no token, until it is acknowledged. */
export async function insist(
  { cluster, access, ask }: Insisting,
  one: Deciding,
  token: string | undefined,
): Promise<void> {
  const { chance, scheduler } = cluster.world;
  let isThere = true;
  for (let attempt = 0; ; attempt += 1) {
    const invoked = cluster.now;
    const own = token === undefined ? undefined : `${token}.${attempt}`;
    const answer = await ask(change(one, { chance, token: own, isThere }));
    if (answer !== undefined && answer.status < 300) {
      access.acknowledge(one, { token: own, invoked, now: cluster.now });
      return;
    }
    if (token === undefined && answer?.status === 404) return;
    // An update does not create the object.
    if (answer?.status === 404) isThere = false;
    if (answer?.status === 409) isThere = true;
    await scheduler.sleep(RETRY);
  }
}

export interface Change {
  readonly chance: Chance;
  /** Undefined: the object is deleted. */
  readonly token: string | undefined;
  readonly isThere: boolean;
}

/** The request that writes or deletes a deciding object. */
export function change({ url, body }: Deciding, { chance, token, isThere }: Change): Asked {
  if (token === undefined) return { method: 'DELETE', url };
  const made = body(chance, token);
  return isThere
    ? { method: 'PUT', url, body: made }
    : { method: 'POST', url: url.slice(0, url.lastIndexOf('/')), body: made };
}
