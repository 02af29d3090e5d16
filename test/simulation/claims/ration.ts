import type { Answered, Asked } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Ration } from './claim-record.ts';
import type { Claiming } from './claiming.ts';
import { MERGE, QUOTAS_URL } from './service.ts';

const RETRY = 1_000;

/** Limits the namespace by one quota, which grows, shrinks, or is replaced by another. */
export async function ration(claiming: Claiming, { rations, rationPause }: Scenario): Promise<void> {
  const { chance, scheduler } = claiming.cluster.world;
  let last: Ration | undefined;
  for (let round = 0; round < rations; round += 1) {
    await scheduler.sleep(round === 0 ? 0 : chance.within(rationPause));
    const isReplaced = last === undefined || chance.chance(0.5);
    if (last !== undefined && isReplaced) await end(claiming, last);
    const name = isReplaced ? `q${round}` : (last?.name ?? '');
    last = await begin(claiming, { name, isNew: isReplaced, last });
  }
}

interface Beginning {
  readonly name: string;
  readonly isNew: boolean;
  /** The quota before it. */
  readonly last: Ration | undefined;
}

async function begin(claiming: Claiming, { name, isNew, last }: Beginning): Promise<Ration> {
  const { cluster, record } = claiming;
  const hard = anyHard(cluster.world.chance);
  const next: Ration = { name, hard, invoked: cluster.now };
  if (last !== undefined) last.until ??= cluster.now;
  record.rations.push(next);
  const spec = { hard: Object.fromEntries(Object.entries(hard).map(([what, most]) => [what, String(most)])) };
  const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec };
  await insist(
    claiming,
    isNew
      ? { method: 'POST', url: QUOTAS_URL, body }
      : { method: 'PATCH', url: `${QUOTAS_URL}/${name}`, body: { spec }, contentType: MERGE },
    isNew ? [201, 409] : [200],
  );
  next.from = cluster.now;
  return next;
}

async function end(claiming: Claiming, last: Ration): Promise<void> {
  const { cluster } = claiming;
  last.until = cluster.now;
  await insist(claiming, { method: 'DELETE', url: `${QUOTAS_URL}/${last.name}` }, [200, 404]);
  last.gone = cluster.now;
}

/** Repeats a request until it is done. A request without an answer may have been done. */
async function insist({ ask, cluster }: Claiming, asked: Asked, done: readonly number[]): Promise<Answered> {
  for (;;) {
    const answered = await ask(asked);
    if (answered !== undefined && done.includes(answered.status)) return answered;
    await cluster.world.scheduler.sleep(RETRY);
  }
}

function anyHard(chance: Chance): Ration['hard'] {
  return { services: 2 + chance.below(4), 'services.nodeports': 1 + chance.below(4) };
}
