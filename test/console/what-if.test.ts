import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resource } from '../../lib/client/objects/index.ts';
import { accessibilityFaults, closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const pods = resource('v1', 'pods', { kind: 'Pod' });
const services = resource('v1', 'services', { kind: 'Service' });
const replicaSets = resource('apps/v1', 'replicasets', { kind: 'ReplicaSet' });

const NAMES = ['web-1', 'web-2', 'web-3'];
const NAMESPACE = 'default';

let one: ConsoleService;
let opened: OpenPage | undefined;

beforeAll(async () => {
  one = await startConsole();
  const where = { namespace: NAMESPACE };
  for (const app of ['web', 'cart']) {
    const spec = { selector: { app }, ports: [{ port: 80 }] };
    await one.winnow.objects(services, where).create({ metadata: { name: app }, spec });
    const template = { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: app }] } };
    await one.winnow.objects(replicaSets, where).create({
      metadata: { name: `${app}-set` },
      spec: { replicas: 0, selector: { matchLabels: { app } }, template },
    });
  }
});

beforeEach(async () => {
  await Promise.all(
    NAMES.map((name) =>
      one.winnow.objects(pods, { namespace: NAMESPACE }).create({
        metadata: { name, labels: { app: 'web', tier: 'frontend' } },
        spec: { containers: [{ name: 'main', image: 'web' }] },
      }),
    ),
  );
});

afterEach(async () => {
  const problems = opened?.problems ?? [];
  await opened?.close();
  opened = undefined;
  const all = one.winnow.objects(pods, { namespace: NAMESPACE });
  for await (const { metadata } of all.list()) await all.delete(metadata.name);
  expect(problems).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await one?.stop();
});

/** Opens the dialog for all pods of a set. */
async function relabel(path = '/pods?ns=*&q=app%3Dweb', options?: { dark: boolean }) {
  opened = await one.open(path, options);
  const { page } = opened;
  await page.getByText('3 objects').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: /^Labels of 3 / });
  await dialog.waitFor();
  return { page, dialog };
}

async function labelsOf(name: string) {
  return (await one.winnow.objects(pods, { namespace: NAMESPACE }).get(name)).metadata.labels;
}

describe('A change of the labels of several objects', () => {
  it('The dialog shows what begins and stops to select them, writes, and takes it back', async () => {
    const { page, dialog } = await relabel();
    await dialog.getByLabel('Key').fill('app=cart');
    await dialog.getByRole('row', { name: /\+ begins sending traffic Service cart app=cart 3/ }).waitFor();
    await dialog.getByRole('row', { name: /− stops controlling ReplicaSet web-set/ }).waitFor();
    await dialog.getByText('All 3 objects leave the set app=web').waitFor();
    await dialog.getByRole('button', { name: 'Relabel 3 objects' }).click();
    await page.getByText('Relabelled 3 objects').waitFor();
    expect(await labelsOf('web-1')).toEqual({ app: 'cart', tier: 'frontend' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored the earlier labels of 3 objects').waitFor();
    expect(await labelsOf('web-3')).toEqual({ app: 'web', tier: 'frontend' });
  });

  it('Nothing is written before What-if has answered, and a row that leaves says what it became', async () => {
    const { page, dialog } = await relabel();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/selectionreviews*', async (request) => {
      await asked;
      await request.continue();
    });
    await dialog.getByLabel('Key').fill('app=cart');
    const button = dialog.getByRole('button', { name: 'Relabel 3 objects' });
    await button.waitFor();
    expect([await button.isDisabled(), await button.getAttribute('title')]).toEqual([
      true,
      'The effects are not known yet',
    ]);
    // Without the reads of leavers, only the page's own write tells what the rows became.
    await page.route(/\/pods\/web-\d$/, (request) => request.abort());
    answer();
    await dialog.getByRole('row', { name: /\+ begins sending traffic/ }).waitFor();
    await dialog.getByLabel('Value').press('Enter');
    await page.getByRole('row', { name: /web-2/ }).getByText('app: web → cart').waitFor();
  });

  it('The user types key=value at once, without a click into a field', async () => {
    const { page, dialog } = await relabel();
    await page.keyboard.type('tier=backend');
    await dialog.getByRole('button', { name: 'Relabel 3 objects' }).waitFor();
    expect(await dialog.getByLabel('Value').inputValue()).toBe('backend');
  });

  it('Controllers that would fight for an object are named', async () => {
    const where = { namespace: NAMESPACE };
    const selector = { matchLabels: { track: 'canary' } };
    const template = {
      metadata: { labels: { track: 'canary' } },
      spec: { containers: [{ name: 'main', image: 'x' }] },
    };
    const sets = one.winnow.objects(replicaSets, where);
    await sets.create({ metadata: { name: 'canary-set' }, spec: { replicas: 0, selector, template } });
    const { dialog } = await relabel();
    await dialog.getByLabel('Key').fill('track=canary');
    await dialog
      .getByText('ReplicaSet canary-set and ReplicaSet web-set would both claim 3 objects')
      .waitFor();
    await sets.delete('canary-set');
  });

  it('An object that changed meanwhile is named and left, and the others are written', async () => {
    const { page, dialog } = await relabel();
    await dialog.getByLabel('Key').fill('ring=early');
    await one.winnow
      .objects(pods, { namespace: NAMESPACE })
      .patch('web-2', { metadata: { labels: { tier: 'x' } } });
    await dialog.getByRole('button', { name: 'Relabel 3 objects' }).click();
    await dialog.getByRole('row', { name: 'default/web-2 changed meanwhile, and left as it is' }).waitFor();
    await page.getByText('Relabelled 2 of 3 objects', { exact: true }).waitFor();
    expect(await Promise.all(NAMES.map(labelsOf))).toMatchObject([
      { ring: 'early' },
      { tier: 'x' },
      { ring: 'early' },
    ]);
    expect(await labelsOf('web-2')).not.toHaveProperty('ring');
  });

  it('A write whose answer is lost is not repeated, and the dialog says what the object has', async () => {
    const { page, dialog } = await relabel();
    let writes = 0;
    await page.route(/\/pods\/web-1\?/, async (request) => {
      if (request.request().method() !== 'PATCH') return request.continue();
      writes += 1;
      await request.fetch();
      await request.abort();
    });
    await dialog.getByLabel('Key').fill('ring=early');
    await dialog.getByRole('button', { name: 'Relabel 3 objects' }).click();
    await dialog
      .getByRole('row', { name: /web-1 the answer was lost; the object has the new labels/ })
      .waitFor();
    expect(writes).toBe(1);
  });

  it('A wrong value is refused in words of Kubernetes before anything is asked', async () => {
    const { dialog } = await relabel();
    await dialog.getByLabel('Key').fill('tier=a b');
    await dialog.getByText('Value "a b": a valid label must be').waitFor();
    expect(await dialog.getByRole('button', { name: 'Relabel', exact: true }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Key').getAttribute('aria-invalid')).toBe('false');
    expect(await dialog.getByLabel('Value').getAttribute('aria-invalid')).toBe('true');
  });

  it('Before a server on another machine, the user types the number of objects', async () => {
    opened = await one.open('/pods?ns=*&q=app%3Dweb');
    await opened.page.route('**/session', async (request) => {
      const answer = await request.fetch();
      await request.fulfill({ json: { ...(await answer.json()), loopback: false } });
    });
    const { page } = opened;
    await page.reload();
    await page.getByText('3 objects').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill('ring=early');
    const button = dialog.getByRole('button', { name: 'Relabel 3 objects' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: /Type the number of objects/ }).fill('3');
    await button.click();
    await page.getByText('Relabelled 3 objects').waitFor();
  });
});

describe('An edit of a selector', () => {
  it('The review of the YAML lists the objects that enter and leave', async () => {
    await one.winnow
      .objects(pods, { namespace: NAMESPACE })
      .patch('web-3', { metadata: { labels: { app: 'cart' } } });
    opened = await one.open('/services?ns=*&open=services:default/web&tab=yaml');
    const { page } = opened;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'YAML of web' });
    await editor.getByText('app').first().dblclick();
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await page.keyboard.type('cart');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: /^Take over/ }).click();
    const effects = page.getByRole('region', { name: 'What if' });
    await effects.getByText('1 enters, 2 leave, 0 stay').waitFor();
    expect(await effects.getByRole('listitem').allInnerTexts()).toEqual(['web-3', 'web-1', 'web-2']);
  });
});

it.each([{ dark: false }, { dark: true }])('axe finds nothing in the dialog (%p)', async (options) => {
  const { page, dialog } = await relabel(undefined, options);
  await dialog.getByLabel('Key').fill('app=cart');
  await dialog.getByRole('row', { name: /Service cart/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});
