import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Client, KubernetesObject } from '../client.ts';
import type { ReceivedEvent } from '../queue.ts';
import { screen } from '../screen.ts';
import { Checks } from './checks.ts';
import { showCount } from './count.ts';
import { readObjects } from './documents.ts';
import { showOwnKind } from './own-kind.ts';
import { showPast } from './past.ts';
import { Subscriber } from './subscriber.ts';

/** Every selector of the Kubernetes page about labels, with the pods of `test/fixtures/` that it selects. */
const SELECTORS: readonly (readonly [selector: string, pods: readonly string[]])[] = [
  [
    'environment=production',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'label-demo', 'redis-leader'],
  ],
  ['environment=production,tier!=frontend', ['guestbook-backend', 'label-demo', 'redis-leader']],
  [
    'environment in (production, qa)',
    [
      'guestbook-backend',
      'guestbook-backend-qa',
      'guestbook-frontend-1',
      'guestbook-frontend-2',
      'guestbook-frontend-qa',
      'label-demo',
      'redis-leader',
    ],
  ],
  ['tier notin (frontend, backend)', ['cuda-test', 'label-demo', 'redis-dev', 'redis-leader']],
  [
    'partition',
    [
      'guestbook-backend',
      'guestbook-frontend-1',
      'guestbook-frontend-2',
      'guestbook-frontend-qa',
      'redis-dev',
    ],
  ],
  ['!partition', ['cuda-test', 'guestbook-backend-qa', 'label-demo', 'redis-leader']],
  [
    'partition,environment notin (qa)',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'redis-dev'],
  ],
  [
    'partition in (customerA, customerB),environment!=qa',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'redis-dev'],
  ],
];

/** The URL-encoded selectors of the same page, as a client would put them into a query. */
const QUERIES: readonly (readonly [query: string, pods: readonly string[]])[] = [
  [
    '?labelSelector=environment%3Dproduction,tier%3Dfrontend',
    ['guestbook-frontend-1', 'guestbook-frontend-2'],
  ],
  [
    '?labelSelector=environment+in+%28production%2Cqa%29%2Ctier+in+%28frontend%29',
    ['guestbook-frontend-1', 'guestbook-frontend-2', 'guestbook-frontend-qa'],
  ],
];

const PODS = '/api/v1/namespaces/default/pods';

/** A change: the kubectl command, its request, and the expected events. */
interface Change {
  readonly command: string;
  readonly why: string;
  readonly send: (client: Client) => Promise<unknown>;
  readonly events: readonly string[];
}

const label = (pod: string, labels: Record<string, string | null>) => (client: Client) =>
  client.merge(`${PODS}/${pod}`, { metadata: { labels } });

const CHANGES: readonly Change[] = [
  {
    command: 'kubectl label pod label-demo tier=frontend',
    why: 'its environment matched already; now its tier matches too, so it enters the set',
    send: label('label-demo', { tier: 'frontend' }),
    events: ['ADDED label-demo'],
  },
  {
    command: 'kubectl patch pod guestbook-frontend-1 -p \'{"metadata":{"annotations":{"note":"hello"}}}\'',
    why: 'it is in the set and stays in it',
    send: (client) =>
      client.merge(`${PODS}/guestbook-frontend-1`, { metadata: { annotations: { note: 'hello' } } }),
    events: ['MODIFIED guestbook-frontend-1'],
  },
  {
    command: 'kubectl label pod guestbook-frontend-qa environment=dev --overwrite',
    why: 'it no longer matches, so it leaves the set',
    send: label('guestbook-frontend-qa', { environment: 'dev' }),
    events: ['DELETED guestbook-frontend-qa'],
  },
  {
    command: 'kubectl label pod redis-leader release=canary --overwrite',
    why: 'it is outside the set before and after the change: Winnow sends nothing',
    send: label('redis-leader', { release: 'canary' }),
    events: [],
  },
  {
    command: 'kubectl label pod guestbook-frontend-qa environment=qa --overwrite',
    why: 'it matches again, so it enters the set',
    send: label('guestbook-frontend-qa', { environment: 'qa' }),
    events: ['ADDED guestbook-frontend-qa'],
  },
  {
    command: 'kubectl delete pod guestbook-frontend-2',
    why: 'it was in the set when it was deleted',
    send: (client) => client.ask('DELETE', `${PODS}/guestbook-frontend-2`),
    events: ['DELETED guestbook-frontend-2'],
  },
];

export interface TourOptions {
  readonly client: Client;
  readonly sqs: SQSClientConfig;
  /** The folder of the fixtures. */
  readonly fixtures: string;
}

/** Shows what Winnow does, and checks every answer. Returns how many answers were wrong. */
export async function tour(options: TourOptions): Promise<number> {
  const wrong = new Checks();
  await createObjects(options);
  await askSelectors(options, wrong);
  await askServices(options, wrong);
  await followQueue(options, wrong);
  await showCount(options, wrong);
  await refuseBadInput(options, wrong);
  await showOwnKind({ ...options, check: (answer, expected) => wrong.equal(answer, expected) });
  await showPast(options.client, wrong);
  return wrong.count;
}

async function createObjects({ client, fixtures }: TourOptions): Promise<void> {
  screen.title('1. Objects with labels');
  for (const file of ['nodes.yaml', 'pods.yaml', 'services.yaml']) {
    screen.command(`kubectl apply -f test/fixtures/${file}`);
    const done: string[] = [];
    for (const object of await readObjects([`${fixtures}/${file}`])) {
      done.push(`${object.kind.toLowerCase()}/${object.metadata.name} ${await client.apply(object)}`);
    }
    screen.answer(done.join(', '));
  }
}

async function askSelectors({ client }: TourOptions, checks: Checks): Promise<void> {
  screen.title('2. Selectors: exactly the matching set');
  for (const [selector, pods] of SELECTORS) {
    screen.command(`kubectl get pods -l '${selector}'`);
    checks.equal(await names(client, `${PODS}?${new URLSearchParams({ labelSelector: selector })}`), pods);
  }
  for (const [query, pods] of QUERIES) {
    screen.command(`curl '$WINNOW${PODS}${query}'`);
    checks.equal(await names(client, `${PODS}${query}`), pods);
  }
  screen.command("kubectl get nodes -l 'accelerator=nvidia-tesla-p100'");
  checks.equal(await names(client, '/api/v1/nodes?labelSelector=accelerator%3Dnvidia-tesla-p100'), ['gpu-1']);
}

async function askServices({ client }: TourOptions, checks: Checks): Promise<void> {
  screen.title('3. What a Service or a ReplicationController selects, and what selects a pod');
  const selecting = [
    ['services/redis', ['redis-dev', 'redis-leader']],
    ['services/guestbook', ['guestbook-frontend-1', 'guestbook-frontend-2', 'guestbook-frontend-qa']],
    ['replicationcontrollers/guestbook-stable', ['guestbook-frontend-1']],
  ] as const;
  for (const [path, pods] of selecting) {
    const { spec } = await client.ask('GET', `/api/v1/namespaces/default/${path}`);
    const { selector } = spec as { selector: Record<string, string> };
    const text = Object.entries(selector)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    screen.command(`kubectl get pods -l '${text}'   # the selector of ${path}`);
    checks.equal(await names(client, `${PODS}?${new URLSearchParams({ labelSelector: text })}`), pods);
  }
  screen.command('winnow who-selects pod/guestbook-frontend-1   # by an index, without a scan');
  checks.equal(await names(client, `${PODS}/guestbook-frontend-1/selectedby`), [
    'guestbook-stable',
    'guestbook',
  ]);
}

async function followQueue({ client, sqs, fixtures }: TourOptions, checks: Checks): Promise<void> {
  screen.title('4. A queue that receives each object that enters, changes in or leaves the set');
  const [subscription] = await readObjects([`${fixtures}/subscription.yaml`]);
  if (subscription === undefined) throw new Error('test/fixtures/subscription.yaml holds no object');
  const subscriber = new Subscriber(client, sqs);
  try {
    screen.command(
      'kubectl apply -f test/fixtures/subscription.yaml   # tier=frontend,environment in (production,qa)',
    );
    await subscriber.subscribe(subscription);
    screen.answer(`synced; its queue is ${subscriber.queue.url}`);
    for (const change of CHANGES) await showChange({ client, subscriber, change }, checks);
    await compareWithList({ client, subscription }, checks);
  } finally {
    subscriber.close();
  }
}

interface Showing {
  readonly client: Client;
  readonly subscriber: Subscriber;
  readonly change: Change;
}

async function showChange({ client, subscriber, change }: Showing, checks: Checks): Promise<void> {
  screen.command(change.command);
  screen.answer(`# ${change.why}`);
  await change.send(client);
  const events: string[] = [];
  // If no event is expected, wait a second to check that none arrives.
  do {
    for (const event of await subscriber.receive(change.events.length === 0 ? 1 : 10)) {
      events.push(describe(event));
      screen.event(
        event.type,
        `${event.object.metadata.name}  resourceVersion ${event.object.metadata.resourceVersion}`,
      );
    }
  } while (events.length > 0 && events.length < change.events.length);
  checks.equal(events, change.events);
}

async function compareWithList(
  { client, subscription }: { client: Client; subscription: KubernetesObject },
  checks: Checks,
): Promise<void> {
  const { labelSelector } = subscription.spec as { labelSelector: string };
  screen.command(`kubectl get pods -l '${labelSelector}'   # the same set, as a list`);
  const listed = await names(client, `${PODS}?${new URLSearchParams({ labelSelector })}`);
  checks.equal(listed, ['guestbook-frontend-1', 'guestbook-frontend-qa', 'label-demo']);
}

async function refuseBadInput({ client }: TourOptions, checks: Checks): Promise<void> {
  screen.title('6. Bad input gets an error message and changes nothing');
  screen.command("kubectl get pods -l 'environment in production'");
  const selector = await client.send('GET', `${PODS}?labelSelector=environment+in+production`);
  screen.answer(String(selector.body.message));
  checks.equal([`${selector.status} ${selector.body.reason}`], ['400 BadRequest']);
  screen.command("kubectl label pod redis-dev tier='not a label!'");
  const value = await client.send(
    ...(['PATCH', `${PODS}/redis-dev`, { metadata: { labels: { tier: 'not a label!' } } }] as const),
    'application/merge-patch+json',
  );
  screen.answer(String(value.body.message));
  checks.equal([`${value.status} ${value.body.reason}`], ['422 Invalid']);
}

function describe({ type, object }: ReceivedEvent): string {
  return `${type} ${object.metadata.name}`;
}

async function names(client: Client, path: string): Promise<string[]> {
  return ((await client.ask('GET', path)).items ?? []).map((object) => object.metadata.name);
}
