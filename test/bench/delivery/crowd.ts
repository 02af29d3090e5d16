import { mapBounded } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { BenchedService } from './service.ts';

const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
/** Creates under way. */
const AT_ONCE = 20;
/** Objects in one page of a LIST. */
const PAGE = 500;
/** Ms within which all of them are synced, however busy the machine is. */
const LONGEST = 30 * 60_000;

/** Creates so many subscriptions that match nothing. */
export async function subscribe({ http }: BenchedService, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  await mapBounded(names, AT_ONCE, (name) =>
    http.post(SUBSCRIPTIONS, {
      metadata: { name },
      spec: { resource: { resource: 'pods' }, labelSelector: `app=never-${name}`, start: 'snapshot' },
    }),
  );
}

/** Resolves once all subscriptions are synced, `count` of them; says on the way how many are. */
export async function allSynced(
  service: BenchedService,
  count: number,
  tell: (synced: number) => Promise<void>,
): Promise<void> {
  const look = async () => {
    const synced = await countSynced(service);
    await tell(synced);
    return synced >= count;
  };
  await eventually(`${count} subscriptions are synced`, look, LONGEST);
}

async function countSynced({ http }: BenchedService): Promise<number> {
  let synced = 0;
  let after: string | undefined;
  do {
    const token = after === undefined ? '' : `&continue=${encodeURIComponent(after)}`;
    const { items, body } = await http.get(`${SUBSCRIPTIONS}?limit=${PAGE}${token}`);
    synced += items.filter(
      ({ status }) => (status as { phase?: string } | undefined)?.phase === 'Synced',
    ).length;
    after = (body.metadata as { continue?: string }).continue || undefined;
  } while (after !== undefined);
  return synced;
}
