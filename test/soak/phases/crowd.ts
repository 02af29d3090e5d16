import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { mapBounded } from '../../../lib/platform/index.ts';
import { check } from '../../simulation/checks/index.ts';
import type { Listing, Operation } from '../../simulation/history.ts';
import { insistOnList } from '../load/listing.ts';
import { insist, type SoakClient } from '../load/soak-client.ts';
import { isKnown } from '../load/soak-load.ts';
import { SoakSubscriber } from '../load/soak-subscriber.ts';
import { outcomeOf } from '../load/soak-writer.ts';
import { Budget, reached } from './budget.ts';
import { Patience, STUCK } from './patience.ts';
import { Findings, type Phase, type PhaseContext, slowest } from './phase.ts';
import { wrongTallies } from './wrong-tallies.ts';

const CONFIG_MAPS = '/api/v1/configmaps';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/subscriptions';
const TALLIES = '/apis/winnow.dev/v1/tallies';
const RESOURCE = { group: '', resource: 'configmaps' };
const NAMESPACES = 20;
/** Objects of a namespace, each of which is in one cell of it, and is moved from cell to cell. */
const OBJECTS = 10;
const WRITERS = 20;
const AT_ONCE = 16;
/** Which parts of the phase's time it has to become so large, and to change labels. */
const CREATING = 0.35;
const MOVING = 0.25;
/** Seconds in which the load beside sees a change meanwhile. */
const PROBE = 300;

/** Many Subscriptions and Tallies at once, while labels change at the highest rate that the machine gives. */
export const crowd: Phase = {
  name: 'crowd',
  share: 0.28,
  run: async (context) => {
    const { service, load, seconds, amounts, progress } = context;
    const findings = new Findings('crowd');
    await service.restart('data');
    const world = await populate(context, findings);
    const operations: Operation[] = [];
    const over = new AbortController();
    const began = performance.now();
    const moving = Promise.all(
      Array.from({ length: WRITERS }, (_, at) =>
        keepMoving(context, { at, world, operations, signal: over.signal }),
      ),
    );
    const seen: number[] = [];
    while (performance.now() - began < seconds * MOVING * 1_000) {
      const took = await load.probe(PROBE);
      findings.expect(took !== undefined, `a change was not seen by all of the load within ${PROBE} s`);
      if (took !== undefined) seen.push(took);
      progress(`${operations.length} changes of labels`);
    }
    over.abort();
    await moving;
    const lasted = (performance.now() - began) / 1_000;
    const final = await settled(context, { world, findings });
    const history = {
      seed: 0,
      scenario: 'crowd',
      listings: [final],
      watches: [],
      final: final.items,
      finalHead: final.rv,
    };
    const subscriptions = world.subscribers.map((one) => one.record());
    const violations = check({ ...history, operations: [...world.created, ...operations], subscriptions });
    const messages = subscriptions.reduce((sum, one) => sum + one.messages.length, 0);
    const rate = Math.round(operations.length / lasted);
    return {
      done: `${reached(world.subscribers.length, amounts.subscriptions)} Subscriptions and ${reached(world.tallies, amounts.tallies)} Tallies in ${NAMESPACES} namespaces; ${operations.length} changes of labels in ${Math.round(lasted)} s (${rate} a second), ${messages} messages`,
      checked: `all guarantees, of each of the Subscriptions; each Tally says what a naive count says; the load beside sees its changes (${slowest(seen)})`,
      violations: [...findings.violations, ...violations],
    };
  },
};

interface World {
  readonly subscribers: readonly SoakSubscriber[];
  /** How many Tallies there are. */
  readonly tallies: number;
  readonly created: readonly Operation[];
  readonly cells: number;
}

const namespaceAt = (at: number) => `crowd-${at % NAMESPACES}`;

/** Subscriptions that are created at a time, with half as many Tallies; they are synced before there are more. */
const WAVE = 200;

async function populate(
  { client, sqs, amounts, seconds, progress }: PhaseContext,
  findings: Findings,
): Promise<World> {
  const enough = new Budget(seconds * CREATING);
  const cells = Math.max(1, Math.ceil(amounts.subscriptions / NAMESPACES));
  await mapBounded([...Array(NAMESPACES).keys()], AT_ONCE, (at) =>
    insist(client, 'POST', '/api/v1/namespaces', { metadata: { name: namespaceAt(at) } }),
  );
  const subscribers: SoakSubscriber[] = [];
  let tallies = 0;
  while (subscribers.length < amounts.subscriptions && !enough.isSpent) {
    const count = Math.min(subscribers.length + WAVE, amounts.subscriptions);
    const wave = range(subscribers.length, count).map((at) => subscriberAt(client, sqs, at));
    await mapBounded(wave, AT_ONCE, (one) => one.create());
    subscribers.push(...wave);
    const due = Math.round((amounts.tallies * count) / amounts.subscriptions);
    await mapBounded(range(tallies, due), AT_ONCE, (at) => createTally(client, at));
    tallies = due;
    const before = subscribers.length - wave.length;
    await synced(client, {
      subscribers: wave,
      findings,
      progress: (count) => progress(`${before + count} Subscriptions are synced, beside ${tallies} Tallies`),
    });
  }
  const created: Operation[] = [];
  await mapBounded(range(0, NAMESPACES * OBJECTS), AT_ONCE, (at) =>
    move(client, { at, cells, operations: created, kind: 'create' }),
  );
  return { subscribers, tallies, created, cells };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

function subscriberAt(client: SoakClient, sqs: SQSClient, at: number): SoakSubscriber {
  const namespace = namespaceAt(at);
  const [name, cell] = [`s-${at}`, Math.floor(at / NAMESPACES)];
  // One in fifty is sent every change of its namespace.
  const labelSelector = cell % 50 === 49 ? 'cell' : `cell=${cell}`;
  const objects = `/api/v1/namespaces/${namespace}/configmaps`;
  const wanted = { namespace, name, resource: RESOURCE, labelSelector, objects, verify: false };
  return new SoakSubscriber(client, sqs, { ...wanted, queueType: cell % 10 === 9 ? 'Standard' : 'FIFO' });
}

function createTally(client: SoakClient, at: number): Promise<JsonObject> {
  const path = `/apis/winnow.dev/v1/namespaces/${namespaceAt(at)}/tallies`;
  const cell = Math.floor(at / NAMESPACES);
  const wide = { labelSelector: 'cell', groupBy: ['zone'] };
  const spec = { resource: RESOURCE, ...(cell % 10 === 9 ? wide : { labelSelector: `cell=${cell}` }) };
  return insist(client, 'POST', path, { metadata: { name: `t-${at}` }, spec });
}

interface Syncing {
  readonly subscribers: readonly SoakSubscriber[];
  readonly findings: Findings;
  /** Hears how many are. */
  progress(count: number): void;
}

async function synced(client: SoakClient, { subscribers, findings, progress }: Syncing): Promise<void> {
  const waiting = new Map(subscribers.map((one) => [one.name, one]));
  for (const patience = new Patience(); patience.isLeft(waiting.size); await sleep(2_000)) {
    const objects = await everyObject(client, SUBSCRIPTIONS);
    const head = await insist(client, 'GET', `${CONFIG_MAPS}?limit=1`);
    for (const object of objects) {
      const { namespace, name } = metadataOf(object);
      const one = waiting.get(`${namespace}/${name}`);
      if (one?.adopt(object, Number(metadataOf(head).resourceVersion)) === true) waiting.delete(one.name);
    }
    progress(subscribers.length - waiting.size);
  }
  findings.expect(
    waiting.size === 0,
    `${waiting.size} Subscriptions are not synced, and no more were for ${STUCK} s`,
    ...[...waiting.keys()].slice(0, 5),
  );
}

interface Moving {
  readonly at: number;
  readonly cells: number;
  readonly operations: Operation[];
  readonly kind: 'create' | 'update';
}

let tokens = 0;

/** Puts an object into some cell; a create is tried until it is answered. */
async function move(client: SoakClient, { at, cells, operations, kind }: Moving): Promise<void> {
  const namespace = namespaceAt(at);
  const [name, path] = [`o-${at}`, `/api/v1/namespaces/${namespace}/configmaps`];
  for (;;) {
    tokens += 1;
    const token = `crowd-${tokens}`;
    const labels = { cell: String(Math.floor(Math.random() * cells)), zone: `z${tokens % 3}` };
    const metadata = { labels, annotations: { token } };
    const invoked = client.now;
    const answer =
      kind === 'create'
        ? await client.send('POST', path, { metadata: { ...metadata, name } })
        : await client.send('PATCH', `${path}/${name}`, { metadata });
    const returned = answer === undefined ? undefined : client.now;
    const about = {
      client: `mover-${at % WRITERS}`,
      kind,
      object: `${namespace}/${name}`,
      invoked,
      returned,
    };
    const outcome = outcomeOf(answer);
    operations.push({ ...about, wrote: { labels, phase: '', token }, ...outcome });
    if (kind === 'update' || outcome.outcome === 'ok' || outcome.reason === 'exists') return;
    await sleep(200);
  }
}

interface Mover {
  readonly at: number;
  readonly world: World;
  readonly operations: Operation[];
  readonly signal: AbortSignal;
}

/** Moves its own objects one after the other, without a pause. */
async function keepMoving({ client }: PhaseContext, { at, world, operations, signal }: Mover): Promise<void> {
  const { cells } = world;
  while (!signal.aborted) {
    for (let own = at; own < NAMESPACES * OBJECTS && !signal.aborted; own += WRITERS) {
      await move(client, { at: own, cells, operations, kind: 'update' });
    }
  }
}

interface Settling {
  readonly world: World;
  readonly findings: Findings;
}

/** What there is when all Subscriptions and Tallies know it, or had the time to. */
async function settled(context: PhaseContext, { world, findings }: Settling): Promise<Listing> {
  const { client, progress } = context;
  const final = await insistOnList(client, 'final', { path: CONFIG_MAPS, asked: { labelSelector: 'cell' } });
  let late: readonly SoakSubscriber[] = world.subscribers;
  let wrong: readonly string[] = ['all'];
  for (const patience = new Patience(); patience.isLeft(late.length + wrong.length); await sleep(2_000)) {
    await mapBounded(late, AT_ONCE, (one) => one.drain());
    late = late.filter((one) => {
      const { asked, cache = [] } = one.record();
      return !isKnown(final.items, asked, cache);
    });
    if (wrong.length > 0) wrong = wrongTallies(await everyObject(client, TALLIES), final.items);
    progress(`${late.length} Subscriptions and ${wrong.length} Tallies do not know yet what there is`);
  }
  findings.expect(
    wrong.length === 0,
    `${wrong.length} Tallies do not say what there is, and no more did for ${STUCK} s`,
    ...wrong.slice(0, 5),
  );
  // What else may come: a change that is told twice, or one of before.
  await sleep(5_000);
  await mapBounded(world.subscribers, AT_ONCE, (one) => one.drain());
  return final;
}

/** The namespaces of the crowd are deleted. */
export const crowdEnds: Phase = {
  name: 'crowd-ends',
  share: 0,
  run: async ({ client, progress }) => {
    const findings = new Findings('crowd-ends');
    const names = [...Array(NAMESPACES).keys()].map(namespaceAt);
    const began = performance.now();
    await mapBounded(names, AT_ONCE, (name) => insist(client, 'DELETE', `/api/v1/namespaces/${name}`));
    let left: readonly string[] = names;
    for (const patience = new Patience(); patience.isLeft(left.length); await sleep(2_000)) {
      const kinds = [SUBSCRIPTIONS, TALLIES, CONFIG_MAPS, '/api/v1/namespaces'];
      const all = (await Promise.all(kinds.map((kind) => everyObject(client, kind)))).flat();
      left = all.flatMap((object) => {
        const { namespace, name } = metadataOf(object);
        return names.includes(String(namespace ?? name)) ? [`${object.kind} ${namespace}/${name}`] : [];
      });
      progress(`${left.length} objects are left of the namespaces`);
    }
    findings.expect(
      left.length === 0,
      `${left.length} objects are left, and no fewer for ${STUCK} s`,
      ...left.slice(0, 5),
    );
    const took = Math.round((performance.now() - began) / 1_000);
    return {
      done: `the ${NAMESPACES} namespaces of the crowd were deleted, and gone after ${took} s`,
      checked: 'no Subscription, Tally or object is left of them',
      violations: findings.violations,
    };
  },
};

async function everyObject(client: SoakClient, path: string): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  for (let next = ''; ; ) {
    const body = await insist(
      client,
      'GET',
      `${path}?limit=500${next && `&continue=${encodeURIComponent(next)}`}`,
    );
    objects.push(...((body.items ?? []) as JsonObject[]));
    next = String(metadataOf(body).continue ?? '');
    if (next === '') return objects;
  }
}
