import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { mapBounded } from '../../../lib/platform/index.ts';
import type { Answer, KubernetesObject, RequestOptions } from '../../support/service/http-client.ts';
import type { Inbox, QueueEvent } from '../../support/service/inbox.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { Dice } from './realistic/dice.ts';
import { generatePods, type NewPod, randomLabels } from './realistic/generate.ts';
import { describeObject, NaiveModel, type Version } from './realistic/naive-model.ts';
import { fieldSelectors, type NaiveSelector, PAGE, randomSelector } from './realistic/naive-selector.ts';
import { NAMESPACES } from './realistic/vocabulary.ts';

const OBJECTS = Number(process.env.WINNOW_OBJECTS ?? 300);
/** The number of objects created before the subscriptions. A subscription from now on does not deliver them. */
const UNSEEN = 0.8 * OBJECTS;
const RELABELLED = OBJECTS / 10;
const DELETED = 20;
const AT_ONCE = 16;
const SEED = 20_261_121;
const PODS = '/api/v1/pods';

/** The selector of the two subscriptions and of the final comparison. */
const PRODUCTION: NaiveSelector = {
  query: { labelSelector: 'environment in (production,qa),tier,release!=canary' },
  selects: ({ labels }) =>
    (labels.environment === 'production' || labels.environment === 'qa') &&
    labels.tier !== undefined &&
    labels.release !== 'canary',
};

const dice = new Dice(SEED);
const model = new NaiveModel();
let service: Service;
let now: Inbox;
let snapshot: Inbox;

beforeAll(async () => {
  service = await startService();
  const { http } = service;
  await mapBounded(NAMESPACES, 6, async (name) => {
    if (name !== 'default') await http.post('/api/v1/namespaces', { metadata: { name } });
  });
  const pods = generatePods(dice, OBJECTS);
  await mapBounded(pods.slice(0, UNSEEN), AT_ONCE, create);
  now = (await subscribe('now', { start: 'now', namespaces: 'All' })).read();
  await mapBounded(pods.slice(UNSEEN), AT_ONCE, create);
});

afterAll(() => service.stop());

/** Sends a request, and repeats it if the server was busy and did nothing, as clients do. */
async function ask(method: string, path: string, options?: RequestOptions): Promise<Answer> {
  for (;;) {
    const answer = await service.http.send(method, path, options);
    const undone = method === 'GET' || answer.message.includes('was not written');
    if (undone && (answer.status === 429 || answer.status === 504)) continue;
    expect([method, path, answer.status, answer.message]).toEqual([method, path, expect.any(Number), '']);
    return answer;
  }
}

async function create({ namespace, body }: NewPod): Promise<void> {
  model.wrote((await ask('POST', `/api/v1/namespaces/${namespace}/pods`, { body })).body);
}

function subscribe(name: string, spec: JsonObject): Promise<Inbox> {
  const selected = { resource: { group: '', resource: 'pods' }, ...PRODUCTION.query };
  return service.subscribe(name, { ...selected, ...spec }, 'shop');
}

interface Listing {
  readonly rv: number;
  readonly objects: readonly string[];
  readonly pages: number;
}

/** Lists in pages of `limit`. All pages must be at one resourceVersion. */
async function list(selector: NaiveSelector, { namespace = '', limit = 0 } = {}): Promise<Listing> {
  const path = namespace === '' ? PODS : `/api/v1/namespaces/${namespace}/pods`;
  const objects: string[] = [];
  for (let [pages, token, rv] = [1, '', '']; ; pages += 1) {
    const query = new URLSearchParams({
      ...selector.query,
      ...(limit > 0 && { limit: String(limit), continue: token }),
    });
    const { body, items } = await ask('GET', `${path}?${query}`);
    objects.push(...items.map(describeObject));
    expect(rv === '' || rv === body.metadata.resourceVersion).toBe(true);
    rv = body.metadata.resourceVersion;
    token = String(body.metadata.continue ?? '');
    if (token === '') return { rv: Number(rv), objects, pages };
    expect(items).toHaveLength(limit);
  }
}

async function relabel({ namespace, name, labels }: Version): Promise<void> {
  const nothing = Object.fromEntries(Object.keys(labels).map((key) => [key, null]));
  const body = { metadata: { labels: { ...nothing, ...randomLabels(dice) } } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  model.wrote((await ask('PATCH', path, { body, type: 'application/merge-patch+json' })).body);
}

/** Deletes an object. Without other writes, the list then has the resourceVersion of the deletion. */
async function remove({ namespace, name }: Version): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const last = (await service.http.get(path)).body;
  // A pod with a node would otherwise get its grace period.
  await service.http.delete(`${path}?gracePeriodSeconds=0`);
  model.deleted(last, Number(await service.http.version(PODS)));
}

it(`the API creates ${OBJECTS} objects of 2 to 20 KB, and lists every one of them`, async () => {
  const listed = await list(PAGE[0] as NaiveSelector);
  expect(listed.objects).toHaveLength(OBJECTS);
  expect(listed.objects).toEqual(model.list(PAGE[0] as NaiveSelector, listed));
});

it(`a list pages through one state while ${RELABELLED} objects are relabelled`, async () => {
  const [everything, indexed] = [PAGE[0] as NaiveSelector, PAGE[2] as NaiveSelector];
  const chosen = dice.sample(model.objects, RELABELLED);
  const relabelling = mapBounded(chosen, 8, relabel);
  const subscribing = subscribe('snapshot', { start: 'snapshot' });
  const [all, some] = await Promise.all([
    list(everything, { limit: OBJECTS / 12.5 }),
    list(indexed, { limit: OBJECTS / 50 }),
  ]);
  snapshot = (await subscribing).read();
  await relabelling;
  expect(all.pages).toBe(13);
  expect(all.objects).toEqual(model.list(everything, all));
  expect(some.pages).toBeGreaterThan(10);
  expect(some.objects).toEqual(model.list(indexed, some));
  // The test proves something only if objects changed during the paging.
  expect(model.versions.filter(({ rv }) => rv > all.rv).length).toBeGreaterThan(RELABELLED / 2);
});

it('a list does not contain deleted objects', async () => {
  for (const object of dice.sample(model.objects, DELETED)) await remove(object);
  const listed = await list(PAGE[4] as NaiveSelector);
  expect(listed.objects).toEqual(model.list(PAGE[4] as NaiveSelector, listed));
});

describe('every list compared with the naive model', () => {
  const selectors = [
    ...PAGE,
    ...fieldSelectors(dice),
    ...Array.from({ length: 16 }, () => randomSelector(dice)),
  ];

  it.each(
    selectors.map((selector, index) => ({
      title: new URLSearchParams({ ...selector.query }).toString() || 'everything',
      selector,
      namespace: index % 3 === 1 ? '' : dice.pick(NAMESPACES),
      limit: index % 2 === 0 ? 0 : index % 3 === 1 ? 200 : 40,
    })),
  )('the list of $title in "$namespace", limit $limit, is right', async ({ selector, namespace, limit }) => {
    const listed = await list(selector, { namespace, limit });
    expect(listed.objects).toEqual(
      model.list(selector, { rv: listed.rv, namespace: namespace || undefined }),
    );
  });
});

const described = ({ type, object }: QueueEvent) => `${type} ${describeObject(object as KubernetesObject)}`;

it('the events of a subscription from now on equal the naive model, in order', async () => {
  const expected = model.events(PRODUCTION, { rv: model.versions[UNSEEN - 1]?.rv ?? 0 });
  await now.until((events) => events.length >= expected.length);
  expect(now.events.map(described)).toEqual(expected);
});

it('the events of a subscription with a snapshot equal the naive model', async () => {
  const isBookmark = ({ type }: QueueEvent) => type === 'BOOKMARK';
  await snapshot.until((events) => events.some(isBookmark));
  const end = snapshot.events.findIndex(isBookmark);
  const rv = Number(snapshot.events[end]?.object.metadata.resourceVersion);
  const present = model.list(PRODUCTION, { rv, namespace: 'shop' });
  // On a slow machine the snapshot may have ended after all other changes.
  const selected = model.objects.filter(
    (object) => object.namespace === 'shop' && PRODUCTION.selects(object),
  );
  for (const object of selected.slice(0, 3)) await remove(object);
  const later = model.events(PRODUCTION, { rv, namespace: 'shop' });
  await snapshot.until((events) => events.length >= end + 1 + later.length);
  const [first, rest] = [snapshot.events.slice(0, end), snapshot.events.slice(end + 1)];
  // Changes during the snapshot are sent between its events.
  const told = new Map(first.map((event) => [event.object.metadata.name, event]));
  const standing = [...told.values()].filter(({ type }) => type !== 'DELETED');
  const objects = standing.map(({ object }) => describeObject(object as KubernetesObject));
  expect(objects.sort()).toEqual(present.sort());
  expect(rest.map(described)).toEqual(later);
  expect(later.length).toBeGreaterThan(0);
});

it('HTTP and a Subscription give the same set', async () => {
  const doors = await subscribe('doors', { start: 'snapshot', namespaces: 'All' });
  doors.read();
  await doors.until((events) => events.some(({ type }) => type === 'BOOKMARK'));
  const sent = doors.events
    .filter(({ type }) => type === 'ADDED')
    .map(({ object }) => describeObject(object));
  const listed = await list(PRODUCTION);
  expect(sent).toEqual(listed.objects);
  expect(listed.objects).toEqual(model.list(PRODUCTION, listed));
  expect(sent.length).toBeGreaterThan(OBJECTS / 50);
});

it('the service logged no problems', () => {
  expect(service.problems).toEqual([]);
});
