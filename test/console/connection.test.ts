import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { resource } from '../../lib/client/objects/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Service, startService } from '../support/service/service.ts';
import { startTamperingProxy, type TamperingProxy } from '../support/service/tampering-proxy.ts';
import { closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const configMaps = resource('v1', 'configmaps', { kind: 'ConfigMap' });
const WHERE = { namespace: 'default' };
const SET = '/configmaps?ns=default&q=set%3Dyes';
const DOWN = {
  status: 503,
  body: '{"kind":"Status","apiVersion":"v1","status":"Failure","code":503,"reason":"ServiceUnavailable","message":"the proxy is down"}',
  headers: { 'content-type': 'application/json' },
};

let service: Service;
let proxy: TamperingProxy;
let one: ConsoleService;
const opened: OpenPage[] = [];

beforeAll(async () => {
  service = await startService({ newestSchema: true });
  proxy = await startTamperingProxy(service.winnow.url);
  one = await startConsole({ service, through: proxy.url });
  for (const name of ['a', 'b']) await create(name);
});

afterEach(async () => {
  proxy.tamper = () => undefined;
  for (const { close } of opened.splice(0)) await close();
});

afterAll(async () => {
  await closeBrowser();
  await one?.stop();
  await proxy?.stop();
  await service?.stop();
});

async function open(path: string): Promise<OpenPage['page']> {
  const page = await one.open(path);
  opened.push(page);
  return page.page;
}

async function create(name: string): Promise<void> {
  await one.winnow.objects(configMaps, WHERE).create({ metadata: { name, labels: { set: 'yes' } } });
}

describe('A lost connection', () => {
  it('Rows stay and are called stale while Winnow does not answer, and the set goes on by itself', async () => {
    const page = await open(SET);
    await page.getByText('2 objects').waitFor();
    proxy.tamper = () => DOWN;
    proxy.cut();
    await page.getByText(/Stale since/).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    await create('c');
    proxy.tamper = () => undefined;
    await page.getByText('3 objects').waitFor({ timeout: 60_000 });
    await page.getByText(/^Live/).waitFor();
    await one.winnow.objects(configMaps, WHERE).delete('c');
  });

  it('The page says that the console has ended, and goes on when it is back on the port', async () => {
    const mine = await startConsole({ service });
    const port = Number(new URL(mine.console.url).port);
    const page = await mine.open(SET);
    opened.push(page);
    await page.page.getByText('2 objects').waitFor();
    await mine.stop();
    await page.page.getByText("The console's process has ended").waitFor();
    // A new process knows no old session, so the page asks for its link.
    const next = await startConsole({ service, port });
    await page.page.getByText('This page needs a session').waitFor();
    await page.page.goto(next.console.newLink());
    await page.page.getByText('What do you want to see?').waitFor();
    await next.stop();
  });
});

it('Five tabs of one browser show the same set, although the browser opens six connections at most', async () => {
  const first = await one.open(SET);
  opened.push(first);
  const others = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const page = await first.page.context().newPage();
      await page.goto(`${one.console.url}${SET}`);
      return page;
    }),
  );
  const pages = [first.page, ...others];
  await Promise.all(pages.map((page) => page.getByText('2 objects').waitFor()));
  await create('tab');
  await Promise.all(pages.map((page) => page.getByText('3 objects').waitFor({ timeout: 60_000 })));
  const states = await Promise.all(pages.map((page) => page.locator('.explore-foot').innerText()));
  expect(states.filter((text) => text.includes('Live'))).toHaveLength(4);
  expect(states.filter((text) => text.includes('other tabs watch'))).toHaveLength(1);
  await one.winnow.objects(configMaps, WHERE).delete('tab');
});

it('A used link says that Winnow ended the session, and the other tab goes on with a new link', async () => {
  const mine = await startConsole({ service });
  const first = await mine.open(SET);
  opened.push(first);
  await first.page.getByText('2 objects').waitFor();
  const link = mine.console.newLink();
  const other = await first.page.context().newPage();
  await other.goto(link);
  await other.getByText('What do you want to see?').waitFor();
  const again = await first.page.context().newPage();
  await again.goto(link);
  await again.getByText('this link was used already, so Winnow ended the session').waitFor();
  await other.reload();
  await other.getByText('This page needs a session, or its session has ended').waitFor();
  await again.goto(mine.console.newLink());
  await again.getByText('What do you want to see?').waitFor();
  await other.getByText('This page needs a session').waitFor({ state: 'detached' });
  await mine.stop();
});

it('A read-only console offers no change, and says so', async () => {
  const mine = await startConsole({ service, readOnly: true });
  const page = await mine.open(SET);
  opened.push(page);
  await page.page.getByText('2 objects').waitFor();
  await page.page.getByText('read-only').waitFor();
  await page.page.keyboard.press('a');
  expect(await page.page.getByRole('button', { name: 'Relabel' }).isDisabled()).toBe(true);
  await page.page.keyboard.press('e');
  await page.page.getByRole('status').getByText('The console runs with --read-only').waitFor();
  await mine.stop();
});

it('A link of another site with a wrong code does not end the session', async () => {
  const page = await open(SET);
  await page.getByText('2 objects').waitFor();
  await page.goto(`${one.console.url}/#code=wrong`);
  await page.getByText('What do you want to see?').waitFor();
});

it('An object of the API with text that looks like HTML is shown as text', async () => {
  const text = '<img src=x onerror=alert(1)>';
  await one.winnow
    .objects(configMaps, WHERE)
    .create({ metadata: { name: 'html', labels: { set: 'yes' }, annotations: { text } } });
  const page = await open(`${SET}&open=configmaps:default/html`);
  await page.getByText(text).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await one.winnow.objects(configMaps, WHERE).delete('html');
  await eventually(
    'the row is gone',
    async () => (await page.getByRole('row', { name: /html/ }).count()) === 0,
  );
});
