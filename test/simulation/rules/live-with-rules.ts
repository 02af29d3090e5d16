import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { AccessRecord } from '../access/access-record.ts';
import { change } from '../access/insist.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Ask, type Asked, serveApi, serveTogether, warmApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { GRANTS, JANE, MAPS_URL, RULINGS, TAGS } from './rulings.ts';

const RETRY = 500;
/** The ConfigMaps that all writers write. */
const MAPS = ['a', 'b', 'c'] as const;

/**
 * Starts the rulers, who write policies and bindings, and the writers of ConfigMaps, whose writes the policies decide.
 * Every other writer is an administrator. The API runs in a function for each request, or serves many in one process.
 */
export function liveWithRules(cluster: Cluster, record: AccessRecord, scenario: Scenario): Promise<void>[] {
  if (scenario.rulers === undefined) return [];
  record.follow(cluster.world);
  const alone = serveApi(cluster);
  const together = serveTogether(cluster);
  const begun = begin(cluster, alone);
  const live = async (work: () => Promise<void>) => {
    await begun;
    await work();
  };
  const { rulers, askers = 0 } = scenario;
  return [
    ...Array.from({ length: rulers }, (_, at) =>
      live(() => rule({ cluster, record, ask: alone, scenario }, `ruler${at}`)),
    ),
    ...Array.from({ length: askers }, (_, at) =>
      live(() =>
        keepWriting(
          { cluster, record, ask: at % 4 < 2 ? alone : together, scenario },
          at % 2 === 0 ? {} : { user: JANE },
          `asker-${at}`,
        ),
      ),
    ),
  ];
}

/** Has the API load the modules that these actors need. */
export async function warmUp(): Promise<void> {
  const { Chance } = await import('../world/chance.ts');
  const chance = new Chance(1);
  const created = RULINGS.map((one) => change(one, { chance, token: 'warm', isThere: false }));
  await warmApi([
    ...GRANTS.map(grant),
    // Before there are policies, which may deny all writes.
    creates('first', 't0', {}),
    updates('first', 't1', {}),
    ...created,
    ...TAGS.flatMap((tag) => [creates('a', tag, {}), creates('a', tag, { user: JANE })]),
    ...created.map((made, at) => patching(made, RULINGS[at]?.url ?? '')),
    ...TAGS.flatMap((tag) => [updates('a', tag, {}), updates('a', tag, { user: JANE })]),
    ...RULINGS.map((one) => change(one, { chance, token: undefined, isThere: true })),
    ...TAGS.map((tag) => creates('a', tag, {})),
    ...TAGS.map((tag) => updates('a', tag, { user: JANE })),
  ]);
}

interface Actor {
  readonly cluster: Cluster;
  readonly record: AccessRecord;
  readonly ask: Ask;
  readonly scenario: Scenario;
}

/** Lets the user write ConfigMaps. */
async function begin({ world }: Cluster, ask: Ask): Promise<void> {
  for (const one of GRANTS.map(grant)) {
    for (;;) {
      const answer = await ask(one);
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) break;
      await world.scheduler.sleep(RETRY);
    }
  }
}

async function rule({ cluster, record, ask, scenario }: Actor, client: string): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const one = chance.pick(RULINGS);
    const token = chance.chance(0.2) ? undefined : `${client}.${count}`;
    const invoked = cluster.now;
    const made = change(one, { chance, token, isThere: false });
    const created = await ask(made);
    const isThere = token !== undefined && created?.status === 409;
    const answer = isThere ? await ask(patching(made, one.url)) : created;
    if (answer === undefined || answer.status >= 300) continue;
    record.acknowledge(one, { token, invoked, now: cluster.now });
  }
}

async function keepWriting(
  { cluster, record, ask, scenario }: Actor,
  as: Pick<Asked, 'user'>,
  client: string,
): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const [name, tag] = [chance.pick(MAPS), chance.pick(TAGS)];
    const isNew = chance.chance(0.3);
    const invoked = cluster.now;
    const updated = isNew ? undefined : await ask(updates(name, tag, as));
    const isCreate = isNew || updated?.status === 404;
    const own = isNew ? `${client}-${count}` : name;
    const answer = isCreate ? await ask(creates(own, tag, as)) : updated;
    if (answer === undefined || ![200, 201, 422].includes(answer.status)) continue;
    const isAllowed = answer.status !== 422;
    const told = { who: as.user?.username ?? '', invoked, returned: cluster.now };
    record.told.push({ ...told, tag, isAllowed });
    if (isAllowed) record.told.push({ ...told, mark: markOf(answer.objects[0] ?? {}) });
  }
}

/** The mark that mutating policies set in an object; empty if there is none. */
const markOf = (object: JsonObject): string => String(objectAt(metadataOf(object).labels ?? {}).mark ?? '');

/** The change of a policy or binding that exists. An update would have to name the resourceVersion. */
const patching = (made: Asked, url: string): Asked => ({
  ...made,
  method: 'PATCH',
  url,
  contentType: 'application/merge-patch+json',
});

const grant = ({ url, body }: (typeof GRANTS)[number]): Asked => ({ method: 'PUT', url, body });

const creates = (name: string, tag: string, as: Pick<Asked, 'user'>): Asked => ({
  method: 'POST',
  url: MAPS_URL,
  body: { metadata: { name }, data: { tag } },
  ...as,
});

const updates = (name: string, tag: string, as: Pick<Asked, 'user'>): Asked => ({
  ...creates(name, tag, as),
  method: 'PUT',
  url: `${MAPS_URL}/${name}`,
});
