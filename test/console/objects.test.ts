import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type FleetService, startFleetService } from '../integration/objects/fleet-service.ts';
import { eventually } from '../support/eventually.ts';
import type { Listening } from '../support/listen.ts';
import { Device } from '../unit/client/objects/fleet.ts';
import { closeBrowser, type OpenPage, openPage } from './browser.ts';
import { servePage } from './page-server.ts';

let fleet: FleetService;
let server: Listening;
let opened: OpenPage;
let page: Page;
let tests = 0;
let namespace: string;

beforeAll(async () => {
  fleet = await startFleetService();
  server = await servePage({ page: 'fleet.tsx', winnow: fleet.proxy.url });
});

/** Each test has a namespace and a browser of its own. */
beforeEach(async () => {
  namespace = `test-${tests++}`;
  await fleet.service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
  opened = await openPage(`${server.url}/?namespace=${namespace}`);
  ({ page } = opened);
});

afterEach(async () => {
  fleet.proxy.tamper = () => undefined;
  await opened.close();
  expect(opened.problems).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await server?.stop();
  await fleet?.stop();
});

const devices = () => fleet.direct.objects(Device, { namespace });
const device = (name: string, site: string) => ({
  metadata: { name, labels: { site } },
  spec: { model: 'x2' },
});

/** Waits until an element shows the texts, in their order. */
const shows = (selector: string, ...texts: readonly string[]) =>
  eventually(`${selector} shows ${texts.join()}`, async () => {
    const found = await page.locator(selector).allInnerTexts();
    return found.join() === texts.join();
  });

/** The watch requests of this test's page for devices whose path and query contain a text. */
const watches = (text: string) =>
  fleet.proxy.requests.filter(
    (request) =>
      request.includes(`/${namespace}/`) && request.includes('watch=true') && request.includes(text),
  ).length;

describe('A page with the client', () => {
  it('A page follows a set: objects enter, change in and leave it', async () => {
    await shows('#first output', 'live 0 complete');
    await devices().create(device('cam-2', 'north'));
    await devices().create(device('cam-1', 'south'));
    await shows('#first li', 'cam-2 active');
    await devices().relabel('cam-1', { site: 'north' });
    await shows('#first li', 'cam-1 active', 'cam-2 active');
    await shows('#one', 'live cam-1 active');
    await devices().patch('cam-1', { spec: { state: 'retired' } });
    await shows('#one', 'live cam-1 retired');
    await devices().relabel('cam-1', { site: 'south' });
    await devices().delete('cam-2');
    await shows('#first li');
    await shows('#first output', 'live 0 complete');
    await shows('#one', 'live cam-1 retired');
  });

  it('A page writes objects, and gets the class of each error', async () => {
    await page.click('text="create"');
    await shows('#writer output', 'wrote cam-1');
    await shows('#first li', 'cam-1 active');
    await page.click('text="create"');
    await shows('#writer output', 'AlreadyExistsError 409');
    await page.click('text="create wrongly"');
    await shows('#writer output', 'InvalidError 422');
    await page.click('text="retire"');
    await shows('#first li', 'cam-1 retired');
    expect((await devices().get('cam-1')).spec.state).toBe('retired');
    await devices().delete('cam-1');
    await page.click('text="retire"');
    await shows('#writer output', 'NotFoundError 404');
  });

  it('A page that loses its connection keeps its objects, says so, and resumes without another list', async () => {
    await devices().create(device('cam-1', 'north'));
    await shows('#first li', 'cam-1 active');
    await shows('#first output', 'live 1 complete');
    fleet.proxy.tamper = () => ({ status: 503, body: '' });
    fleet.proxy.cut();
    await shows('#first output', 'stale 1 complete UnavailableError');
    await shows('#first li', 'cam-1 active');
    await devices().create(device('cam-2', 'north'));
    const before = fleet.proxy.requests.length;
    fleet.proxy.tamper = () => undefined;
    await shows('#first output', 'live 2 complete');
    await shows('#first li', 'cam-1 active', 'cam-2 active');
    const later = fleet.proxy.requests.slice(before).filter((request) => request.includes(`/${namespace}/`));
    // Before it resumes, the page compares one object with the server's.
    expect(later.filter((request) => !/watch=true|limit=1&/.test(request))).toEqual([]);
  });
});

describe('Components of a page', () => {
  it('Two components in StrictMode with equal questions share one watch, which a short absence does not close', async () => {
    await shows('#first output', 'live 0 complete');
    await shows('#second output', 'live 0 complete');
    await page.click('#toggle');
    await shows('output', '');
    await devices().create(device('cam-1', 'north'));
    await page.click('#toggle');
    await shows('#second li', 'cam-1 active');
    expect(watches('site')).toBe(1);
    expect(watches('metadata.name')).toBe(1);
  });

  it('The set of another selector is another watch, and a set without users is closed', async () => {
    await shows('#first output', 'live 0 complete');
    await devices().create(device('cam-1', 'south'));
    const isOld = (request: { url(): string }) => request.url().includes('site%3Dnorth');
    const closed = page.waitForEvent('requestfailed', { predicate: isOld, timeout: 0 });
    await page.fill('#selector', 'site=south');
    await shows('#first li', 'cam-1 active');
    await shows('#second li', 'cam-1 active');
    expect([watches('site%3Dnorth'), watches('site%3Dsouth')]).toEqual([1, 1]);
    await closed;
    await page.fill('#selector', 'site=north');
    await shows('#first output', 'live 0 complete');
    expect(watches('site%3Dnorth')).toBe(2);
  });

  it('A selector that the server refuses stops the set, shows the error, and another selector begins anew', async () => {
    await page.fill('#selector', 'site in (');
    await shows('#first output', 'stopped 0 incomplete WinnowError');
    await page.fill('#selector', 'site');
    await shows('#first output', 'live 0 complete');
  });
});

describe('The policy of a page', () => {
  it('The policy refuses a script in the page, and the test of a page reports that', async () => {
    const other = await openPage(`${server.url}/?namespace=${namespace}`);
    await other.page.evaluate(`
      const script = document.createElement('script');
      script.append('window.ran = true');
      document.body.append(script);`);
    await eventually('the violation is reported', () => other.problems.length > 0);
    expect(await other.page.evaluate('window.ran')).toBeUndefined();
    expect(other.problems.join()).toContain('TrustedScript');
    await other.close();
  });
});
