import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { resource } from '../../lib/client/objects/index.ts';
import { eventually } from '../support/eventually.ts';
import { accessibilityFaults, closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const POD = `${CORE}/pods/web-1`;
const REPLICA_SET = `${APPS}/replicasets/web-7f9c`;
const DEPLOYMENT = `${APPS}/deployments/web`;
const OLD = 6_000;

let one: ConsoleService;
let opened: OpenPage | undefined;

beforeAll(async () => {
  one = await startConsole();
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'web' }];
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const deployment = await create(`${APPS}/deployments`, { metadata: { name: 'web', labels }, spec });
  const ownerReferences = [{ ...deployment, apiVersion: 'apps/v1', kind: 'Deployment', controller: true }];
  const metadata = { name: 'web-7f9c', labels, ownerReferences };
  const replicaSet = await create(`${APPS}/replicasets`, { metadata, spec });
  const owner = { ...replicaSet, apiVersion: 'apps/v1', kind: 'ReplicaSet', controller: true };
  for (const name of ['web-1', 'web-2']) {
    const pod = { metadata: { name, labels, ownerReferences: [owner] }, spec: { containers } };
    await create(`${CORE}/pods`, pod);
  }
  for (let minute = 1; minute <= 5; minute += 1) {
    await create(`${CORE}/events`, {
      metadata: { name: `web-1.${minute}` },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-1' },
      reason: 'Pulled',
      message: `image ${minute}`,
      lastTimestamp: `2026-01-01T00:0${minute}:00Z`,
    });
  }
  await one.winnow.objects(resource('v1', 'secrets', { kind: 'Secret' }), { namespace: 'default' }).create({
    metadata: { name: 'password' },
  });
});

afterEach(async () => {
  const problems = opened?.problems ?? [];
  await opened?.close();
  opened = undefined;
  expect(problems).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await one?.stop();
});

/** Creates an object, and returns its name and uid. */
async function create(path: string, body: unknown) {
  const { metadata } = await one.winnow.request<{ metadata: { name: string; uid: string } }>(path, {
    method: 'POST',
    body,
  });
  return { name: metadata.name, uid: metadata.uid };
}

interface Watched {
  readonly page: Page;
  /** The number of answered reads of a path. */
  readonly answered: (path: string) => number;
  /** The number of reads of a path that began. */
  readonly begun: (path: string) => number;
}

/** Opens a page, and counts its reads by path. */
async function open(path: string): Promise<Watched> {
  opened = await one.open(path);
  const { page } = opened;
  const [begun, answered]: [string[], string[]] = [[], []];
  page.on('request', (request) => begun.push(new URL(request.url()).pathname));
  page.on('requestfinished', (request) => answered.push(new URL(request.url()).pathname));
  const counting = (paths: readonly string[]) => (wanted: string) =>
    paths.filter((one) => one === wanted).length;
  return { page, begun: counting(begun), answered: counting(answered) };
}

async function openPods(): Promise<Watched> {
  const watched = await open('/pods?ns=default');
  await row(watched.page, 'web-2').waitFor();
  await watched.page.getByText('Live at').waitFor();
  return watched;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Holds the answers to reads of a path. Returns a function that lets them go. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (asked) => {
    await released;
    await asked.continue().catch(() => {});
  });
  return release;
}

/** Moves the pointer over rows without a pause. */
const passOver = (page: Page, ...names: readonly string[]) =>
  page.evaluate(`for (const name of ${JSON.stringify(names)}) {
    const rows = [...document.querySelectorAll('[role=row]')];
    rows.find((row) => row.textContent.includes(name)).dispatchEvent(new PointerEvent('pointerenter'));
  }`);

describe('Reading ahead', () => {
  it('An object under the resting pointer is read with its owners and selectors, and the drawer reads them no second time', async () => {
    const { page, answered, begun } = await openPods();
    await row(page, 'web-1').hover();
    const paths = [POD, REPLICA_SET, DEPLOYMENT, `${POD}/selectedby`];
    for (const path of paths) {
      await eventually(`${path} is read`, () => answered(path) === 1);
    }
    expect(begun(`${CORE}/events`)).toBe(0);
    await row(page, 'web-1').getByRole('link').click();
    const tree = page.locator('.drawer .tree');
    await tree.getByRole('link', { name: 'web', exact: true }).waitFor();
    await page.locator('.drawer').getByText('resourceVersion').waitFor();
    await page.locator('.selections').getByRole('link', { name: 'web-7f9c' }).waitFor();
    // The list that the drawer follows finds no newer version.
    await eventually('the Events are read', () => answered(`${CORE}/events`) === 1);
    expect(paths.map(begun)).toEqual([1, 1, 1, 1]);
  });

  it('Rows that are only drawn, or that the pointer passes over, are not read', async () => {
    const { page, begun } = await openPods();
    expect(begun(POD)).toBe(0);
    await passOver(page, 'web-1', 'web-2');
    await eventually('the second pod is read', () => begun(`${CORE}/pods/web-2`) === 1);
    expect(begun(POD)).toBe(0);
  });

  it('A read ends when the pointer moves on to another row', async () => {
    const { page, begun } = await openPods();
    const release = await hold(page, POD);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(POD));
    await passOver(page, 'web-1');
    await eventually('the pod is asked for', () => begun(POD) === 1);
    await passOver(page, 'web-2');
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
    release();
  });

  it('The row that the keys act on is read', async () => {
    const { page, answered } = await openPods();
    await page.keyboard.press('j');
    await eventually('the first pod is read', () => answered(POD) === 1);
  });

  it('What was read some seconds ago is shown as such, while the drawer reads it again', async () => {
    const { page, answered } = await openPods();
    await row(page, 'web-1').hover();
    await eventually('the pod is read', () => answered(POD) === 1);
    await eventually('its owners are read', () => answered(DEPLOYMENT) === 1);
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${OLD}; }`);
    const release = await hold(page, POD);
    await row(page, 'web-1').getByRole('link').click();
    const drawer = page.locator('.drawer');
    await drawer.getByText('reading it again').waitFor();
    await drawer.getByText('resourceVersion').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    release();
    await drawer.getByText('reading it again').waitFor({ state: 'detached' });
    await eventually('the pod is read again', () => answered(POD) >= 2);
  });

  it('A Secret is read only when it is opened', async () => {
    const { page, begun } = await open('/secrets?ns=default');
    await row(page, 'password').hover();
    await page.waitForTimeout(500);
    expect(begun(`${CORE}/secrets/password`)).toBe(0);
    await row(page, 'password').getByRole('link').click();
    await eventually('it is read', () => begun(`${CORE}/secrets/password`) === 1);
  });
});

describe('The owners', () => {
  it('The owner that the row names is shown before the object and the owner are read', async () => {
    const { page } = await openPods();
    const releases = [await hold(page, POD), await hold(page, REPLICA_SET)];
    await row(page, 'web-1').getByRole('link').click();
    const drawer = page.locator('.drawer');
    await drawer.getByText('Reading web-1').waitFor();
    const tree = drawer.locator('.tree');
    await tree.getByText('web-7f9c').waitFor();
    expect(await tree.getByRole('link').count()).toBe(0);
    for (const release of releases) release();
    await tree.getByRole('link', { name: 'web', exact: true }).waitFor();
    await tree.getByRole('link', { name: 'web-7f9c' }).waitFor();
  });

  it('Owners of a second object are asked together, because the page has read them before', async () => {
    const { page, begun } = await openPods();
    await row(page, 'web-1').getByRole('link').click();
    const tree = page.locator('.drawer .tree');
    await tree.getByRole('link', { name: 'web', exact: true }).waitFor();
    const release = await hold(page, REPLICA_SET);
    const before = begun(DEPLOYMENT);
    await row(page, 'web-2').getByRole('link').click();
    await page.locator('.drawer').getByRole('heading', { name: 'web-2' }).waitFor();
    await tree.getByRole('link', { name: 'web', exact: true }).waitFor();
    expect(begun(DEPLOYMENT)).toBeGreaterThan(before);
    release();
    await tree.getByRole('link', { name: 'web-7f9c' }).waitFor();
  });
});

describe('The newest Events', () => {
  it('The overview shows three of them, and leads to all', async () => {
    const { page } = await open('/pods?ns=default&open=pods:default/web-1');
    const drawer = page.locator('.drawer');
    await drawer.getByText('image 5').waitFor();
    expect(await drawer.locator('.events tbody tr').allInnerTexts()).toEqual(
      [5, 4, 3].map((at) => expect.stringContaining(`image ${at}`)),
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'All 5 Events' }).click();
    await drawer.getByRole('tab', { name: 'Events', selected: true }).waitFor();
    await drawer.getByText('image 1').waitFor();
  });

  it('An object without Events has none in its overview', async () => {
    const { page, answered } = await open('/pods?ns=default&open=pods:default/web-2');
    await eventually('the Events are read', () => answered(`${CORE}/events`) === 1);
    await page.locator('.drawer').getByText('resourceVersion').waitFor();
    expect(await page.locator('.drawer .events').count()).toBe(0);
  });
});
