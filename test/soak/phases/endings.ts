import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../lib/json/index.ts';
import { mapBounded } from '../../../lib/platform/index.ts';
import { insistOnList } from '../load/listing.ts';
import { insist, type SoakClient } from '../load/soak-client.ts';
import { SoakInformer } from '../load/soak-informer.ts';
import { SoakSubscriber } from '../load/soak-subscriber.ts';
import { Budget, reached } from './budget.ts';
import { Patience, STUCK } from './patience.ts';
import { Findings, type Phase, type PhaseContext, slowest } from './phase.ts';
import { checkToldOnce, deletionsIn } from './told-once.ts';

const AT_ONCE = 16;
/** The part of the phase's time in which objects are created; all that are deleted then have to go. */
const CREATING = 0.5;
/** Seconds in which the load beside sees a change meanwhile. */
const PROBE = 300;
const LABEL = 'soak=doomed';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = `${DEFINITIONS}/widgets.soak.example`;

/** Something whose deletion deletes all objects that are in it, or of it. */
interface Ending {
  readonly name: string;
  readonly what: string;
  readonly resource: { readonly group: string; readonly resource: string };
  /** Of the collection, over all namespaces; and where its objects are created. */
  readonly all: string;
  readonly objects: string;
  /** An object that is none of it, and stays. */
  readonly spared?: string;
  readonly more?: JsonObject;
  readonly path: string;
  begin(client: SoakClient): Promise<unknown>;
}

const namespace: Ending = {
  name: 'namespace',
  what: 'a namespace',
  resource: { group: '', resource: 'configmaps' },
  all: '/api/v1/configmaps',
  objects: '/api/v1/namespaces/doomed/configmaps',
  spared: '/api/v1/namespaces/default/configmaps',
  path: '/api/v1/namespaces/doomed',
  begin: (client) => insist(client, 'POST', '/api/v1/namespaces', { metadata: { name: 'doomed' } }),
};

const definition: Ending = {
  name: 'definition',
  what: 'a CustomResourceDefinition',
  resource: { group: 'soak.example', resource: 'widgets' },
  all: '/apis/soak.example/v1/widgets',
  objects: '/apis/soak.example/v1/namespaces/default/widgets',
  more: { apiVersion: 'soak.example/v1', kind: 'Widget' },
  path: DEFINITION,
  begin: (client) => insist(client, 'POST', DEFINITIONS, DEFINED),
};

const DEFINED: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.soak.example' },
  spec: {
    group: 'soak.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    ],
  },
};

export const endings: readonly Phase[] = [namespace, definition].map((ending) => ({
  name: ending.name,
  share: 0.12,
  run: (context) => end(context, ending),
}));

async function end(context: PhaseContext, ending: Ending): ReturnType<Phase['run']> {
  const { service, client, sqs, amounts, progress } = context;
  const findings = new Findings(ending.name);
  await service.restart('data');
  await ending.begin(client);
  const informer = new SoakInformer({
    client,
    name: `informer of ${ending.what}`,
    listings: [],
    path: ending.all,
    asked: { labelSelector: LABEL },
  });
  const subscriber = new SoakSubscriber(client, sqs, {
    namespace: 'default',
    name: ending.name,
    resource: ending.resource,
    labelSelector: LABEL,
    isOfAll: true,
    queueType: 'FIFO',
    verify: false,
    objects: ending.all,
  });
  await subscriber.subscribe();
  const over = new AbortController();
  const reading = Promise.all([informer.run(over.signal), subscriber.run(over.signal)]);
  const create = (path: string, name: string) => {
    const metadata = { name, labels: { soak: 'doomed' }, annotations: { token: name } };
    return insist(client, 'POST', path, { ...ending.more, metadata });
  };
  if (ending.spared !== undefined) await create(ending.spared, 'spared');
  const enough = new Budget(context.seconds * CREATING);
  const names: string[] = [];
  await mapBounded([...Array(amounts.objects).keys()], AT_ONCE, async (at) => {
    if (enough.isSpent) return;
    const name = `doomed-${at}`;
    await create(ending.objects, name);
    names.push(name);
    progress(`${names.length} of ${amounts.objects} objects are created`);
  });
  const began = performance.now();
  await insist(client, 'DELETE', ending.path);
  const told = [
    { name: informer.name, events: () => informer.record().spells.flatMap(({ events }) => events) },
    {
      name: `the Subscription ${subscriber.name}`,
      events: () => subscriber.messages.map(({ event }) => event),
    },
  ];
  const left = () => names.length - Math.min(...told.map(({ events }) => deletionsIn(events()).size));
  const seen = await untilGone(context, { ending, findings, left });
  const took = (performance.now() - began) / 1_000;
  for (const patience = new Patience(); patience.isLeft(left()); ) await sleep(1_000);
  // What is told twice may come late.
  await sleep(5_000);
  over.abort();
  await reading;
  for (const { name, events } of told) checkToldOnce(findings, { reader: name, events: events(), names });
  await client.send('DELETE', subscriber.path);
  await startAgain(client, { ending, findings });
  return {
    done: `${reached(names.length, amounts.objects)} objects of ${ending.what}, which was deleted, and gone after ${Math.round(took)} s`,
    checked: `a watch and a queue are told of each object's ADDED and DELETED exactly once, and of nothing else; what comes again under the name begins empty; the load beside sees its changes (${slowest(seen)})`,
    violations: findings.violations,
  };
}

interface Judging {
  readonly ending: Ending;
  readonly findings: Findings;
}

interface Going extends Judging {
  /** How many objects not all readers know to be gone. */
  left(): number;
}

/** Answers how long the load beside waited for its changes meanwhile. */
async function untilGone(context: PhaseContext, { ending, findings, left }: Going): Promise<number[]> {
  const { client, load, progress } = context;
  const seen: number[] = [];
  for (const patience = new Patience(); patience.isLeft(left() + 1); ) {
    const took = await load.probe(PROBE);
    findings.expect(took !== undefined, `a change was not seen by all of the load within ${PROBE} s`);
    if (took !== undefined) seen.push(took);
    const answer = await client.send('GET', ending.path);
    if (answer?.status === 404) return seen;
    progress(`${ending.what} is on its way out, and ${left()} of its objects`);
    await sleep(1_000);
  }
  findings.expect(false, `${ending.what} is not gone, and no more of its objects went for ${STUCK} s`);
  return seen;
}

/** What is made anew under the name has none of the objects, and what was beside has stayed. */
async function startAgain(client: SoakClient, { ending, findings }: Judging): Promise<void> {
  await ending.begin(client);
  const place = { path: ending.all, asked: { labelSelector: LABEL } };
  const { items } = await insistOnList(client, 'final', place);
  const expected = ending.spared === undefined ? '' : 'default/spared';
  const found = items.map(({ object }) => object);
  findings.expect(
    found.join() === expected,
    `there is something else than before of ${LABEL}`,
    ...found.slice(0, 5),
  );
  await insist(client, 'DELETE', ending.path);
  if (ending.spared !== undefined) await insist(client, 'DELETE', `${ending.spared}/spared`);
}
