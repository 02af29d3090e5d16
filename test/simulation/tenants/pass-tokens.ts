import { isJsonObject, metadataOf } from '../../../lib/json/index.ts';
import { NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';
import { labelledOf } from './tenant-record.ts';

const PODS = `/api/v1/namespaces/${NAMESPACE}/pods?limit=1`;
/** The number of latest tokens from which a client picks one. */
const RECENT = 6;

/**
 * A continue token, with its receiver and the moments of the request. `giver` undefined: a client that sees
 * everything.
 */
export interface GivenToken {
  readonly giver: string | undefined;
  readonly since: number;
  readonly at: number;
  readonly token: string;
}

/**
 * Lists pages, and continues with tokens of other clients, or with another selector. `at` undefined: the client sees
 * everything.
 */
export async function passTokens(
  { at, ask, cluster, record, scenario }: Omit<TenantOptions, 'at'> & { readonly at: number | undefined },
  given: GivenToken[],
): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const who = at === undefined ? undefined : nameOf(at);
  const user = who === undefined ? {} : { user: { username: who, groups: ['system:authenticated'] } };
  const list = async (url: string) => {
    const since = cluster.now;
    const answer = await ask({ method: 'GET', url, ...user });
    const [page = {}] = answer?.objects ?? [];
    const items = answer?.status === 200 && Array.isArray(page.items) ? page.items.filter(isJsonObject) : [];
    if (who !== undefined) {
      const shown = items.map((item) => ({
        who,
        how: 'page',
        since,
        at: cluster.now,
        object: labelledOf(item),
      }));
      record.shown.push(...shown);
    }
    return { status: answer?.status, since, at: cluster.now, token: metadataOf(page).continue };
  };
  for (let turn = 0; turn < (scenario.everyVerb ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const { token, ...own } = await list(PODS);
    const isKept = who !== undefined || chance.chance(0.2);
    if (typeof token === 'string' && isKept) given.push({ giver: who, since: own.since, at: own.at, token });
    if (given.length === 0) continue;
    const presented = chance.pick(given.slice(-RECENT));
    const isOfOther = chance.chance(0.25);
    const url = `${PODS}&continue=${presented.token}${isOfOther ? '&labelSelector=tier%3Da' : ''}`;
    const { status, since, at: until } = await list(url);
    if (status !== undefined) record.presented.push({ who, since, at: until, status, isOfOther, presented });
  }
}
