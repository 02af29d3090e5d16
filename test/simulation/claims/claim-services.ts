import type { Asked } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Claiming } from './claiming.ts';
import { anyChange, anyService, MERGE, SERVICES_URL, statusOf } from './service.ts';

/** Creates Services that request addresses and ports of others, changes them, and deletes them. */
export async function claimServices(
  claiming: Claiming,
  client: string,
  { writes, names, pause }: Scenario,
): Promise<void> {
  const { cluster, record, ask } = claiming;
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    const token = `${client}.${count}`;
    const asked = anyRequest(claiming, `s${chance.below(names)}`, token);
    const invoked = cluster.now;
    const answered = await ask(asked);
    const { status, objects } = answered ?? {};
    const returned = answered === undefined ? undefined : cluster.now;
    record.claims.push({ token, invoked, returned, status, answer: objects?.[0] });
  }
}

function anyRequest({ cluster }: Claiming, name: string, token: string): Asked {
  const { chance } = cluster.world;
  const what = chance.pick(['create', 'create', 'change', 'change', 'status', 'delete', 'rehearse'] as const);
  const url = `${SERVICES_URL}/${name}`;
  switch (what) {
    case 'create':
      return { method: 'POST', url: SERVICES_URL, body: anyService(chance, name, token) };
    case 'rehearse':
      return {
        method: 'POST',
        url: `${SERVICES_URL}?dryRun=All`,
        body: anyService(chance, name, token),
      };
    case 'change':
      return { method: 'PATCH', url, body: anyChange(chance, token), contentType: MERGE };
    case 'status':
      return { method: 'PATCH', url: `${url}/status`, body: statusOf(token), contentType: MERGE };
    case 'delete':
      return { method: 'DELETE', url };
    default:
      return what satisfies never;
  }
}
