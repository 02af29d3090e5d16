import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { resource } from '../../lib/client/objects/index.ts';
import { accessibilityFaults, closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const WHERE = { namespace: 'default' };
const DRAWER = '/services?ns=*&open=services:default/web';

const services = resource('v1', 'services', { kind: 'Service' });
const pods = resource('v1', 'pods', { kind: 'Pod' });
const configMaps = resource('v1', 'configmaps', { kind: 'ConfigMap' });
const secrets = resource('v1', 'secrets', { kind: 'Secret' });
const events = resource('v1', 'events', { kind: 'Event' });

let one: ConsoleService;
let opened: OpenPage | undefined;

beforeAll(async () => {
  one = await startConsole();
});

beforeEach(async () => {
  await one.winnow.objects(services, WHERE).create({
    metadata: {
      name: 'web',
      labels: { app: 'web', team: 'shop' },
      annotations: { docs: 'https://example.com/runbook', script: 'javascript:alert(1)' },
    },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await one.winnow.objects(pods, WHERE).create({
    metadata: { name: 'web-1', labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image: 'web' }] },
  });
});

afterEach(async () => {
  const problems = opened?.problems ?? [];
  await opened?.close();
  opened = undefined;
  await one.winnow.objects(pods, WHERE).delete('web-1');
  await one.winnow
    .objects(services, WHERE)
    .delete('web')
    .catch(() => {});
  expect(problems).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await one?.stop();
});

async function open(path: string, options?: { dark: boolean }): Promise<Page> {
  opened = await one.open(path, options);
  return opened.page;
}

const theService = () => one.winnow.objects(services, WHERE).get('web');

/** Replaces the value of the first line with a key in the editor of the YAML. */
async function type(page: Page, line: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'YAML of web' }).getByText(line).first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type(text);
}

/** Opens the YAML of the Service, adds the label `ring: early` to the draft, and reviews it. */
async function reviewNewLabel(): Promise<Page> {
  const page = await open(`${DRAWER}&tab=yaml`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await type(page, 'team', 'team: shop\nring: early');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByLabel('What would change').getByText('ring: early').waitFor();
  return page;
}

describe('The overview', () => {
  it('The columns show what selects an object and what it selects, and a node opens its object', async () => {
    const page = await open(DRAWER);
    await page.getByRole('link', { name: 'web-1' }).click();
    await page.getByRole('heading', { name: 'web-1' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Service' })
      .getByRole('link', { name: 'web' })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe('pods:default/web-1');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'web-1' }).waitFor({ state: 'detached' });
  });

  it('Only https addresses in annotations are links, and these tell no other site where they come from', async () => {
    const page = await open(DRAWER);
    const link = page.getByRole('link', { name: 'https://example.com/runbook' });
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      'noreferrer',
      '_blank',
    ]);
    expect(await page.getByRole('link', { name: /javascript/ }).count()).toBe(0);
  });

  it('An edit of the labels shows its effect, is saved, and is shown', async () => {
    const page = await open('/pods?ns=*&open=pods:default/web-1');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Key').fill('app=cart');
    await page.getByRole('row', { name: /− stops sending traffic Service web/ }).waitFor();
    await page.getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('Relabelled web-1').waitFor();
    await page.locator('.overview .chip', { hasText: 'cart' }).waitFor();
    await page.getByText('No selector matches it').waitFor();
  });

  it('The drawer follows the object, and says when it is gone', async () => {
    const page = await open(DRAWER);
    await page.locator('.overview .chip', { hasText: 'shop' }).waitFor();
    await one.winnow.objects(services, WHERE).patch('web', { metadata: { labels: { team: 'billing' } } });
    await page.locator('.overview .chip', { hasText: 'billing' }).waitFor();
    await one.winnow.objects(services, WHERE).delete('web');
    await page.getByText('does not exist').first().waitFor();
  });
});

it('An object that never changed is gone once it is deleted elsewhere', async () => {
  const maps = one.winnow.objects(configMaps, WHERE);
  await maps.create({ metadata: { name: 'still' }, data: {} });
  const page = await open('/configmaps?ns=*&open=configmaps:default/still');
  await page.getByText('No selector matches it').waitFor();
  await maps.delete('still');
  await page.getByText('does not exist').first().waitFor();
});

describe('The YAML', () => {
  it('A conflict names field, values and manager, the draft outlives the tab, and the user takes the field over', async () => {
    const page = await open(`${DRAWER}&tab=yaml`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await type(page, 'team', 'team: billing');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.getByText('team: billing').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('row', { name: 'metadata.labels.team billing shop winnow-client' }).waitFor();
    await page.getByRole('button', { name: 'Take over this field' }).click();
    await page.getByLabel('What would change').getByText('team: billing').waitFor();
    expect((await theService()).metadata.labels?.team).toBe('shop');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved web').waitFor();
    expect((await theService()).metadata.labels?.team).toBe('billing');
  });

  it('The browser asks before a draft with changes is lost, and not before', async () => {
    const page = await open(`${DRAWER}&tab=yaml`);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'YAML of web' }).waitFor();
    await page.reload();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await type(page, 'team', 'team: billing');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  it('A removed label of another manager stays, until the draft replaces the object', async () => {
    const page = await open(`${DRAWER}&tab=yaml`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await type(page, 'team', ' ');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('You removed metadata.labels.team').waitFor();
    await page.getByRole('button', { name: 'Remove it too' }).click();
    await page.getByLabel('What would change').getByText('team: shop').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved web').waitFor();
    expect((await theService()).metadata.labels).toEqual({ app: 'web' });
  });

  it('A save whose answer is lost is not repeated, and the draft stays', async () => {
    const page = await reviewNewLabel();
    let writes = 0;
    await page.route(/services\/web\?/, async (request) => {
      const sent = request.request();
      if (sent.method() !== 'PATCH' || sent.url().includes('dryRun')) return request.continue();
      writes += 1;
      await request.fetch();
      await request.abort();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The answer was lost, so the write may have been applied.').waitFor();
    await page.getByRole('button', { name: 'Back to the draft' }).click();
    await page.getByText('ring: early').waitFor();
    expect(writes).toBe(1);
  });

  it('A save after another change of the object writes nothing, and the draft stays', async () => {
    const page = await reviewNewLabel();
    const others = one.winnow.objects(services, WHERE);
    // The write lands before the page's own one, and before the page hears of it.
    await page.route(/services\/web\?/, async (request) => {
      const sent = request.request();
      if (sent.method() === 'PATCH' && !sent.url().includes('dryRun')) {
        await others.patch('web', { metadata: { labels: { size: 'large' } } });
      }
      await request.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^The object has changed since this review, and nothing was written/).waitFor();
    expect((await theService()).metadata.labels?.ring).toBeUndefined();
    await page.getByRole('button', { name: 'Back to the draft' }).click();
    await page.getByText('ring: early').waitFor();
  });

  it('A review does not change while the user reads it, and is asked for again', async () => {
    const page = await reviewNewLabel();
    await one.winnow.objects(services, WHERE).patch('web', { metadata: { labels: { size: 'large' } } });
    await page.getByText(/^The object has changed since this review, and nothing was written/).waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Review again' }).click();
    await page.getByLabel('What would change').getByText('ring: early').waitFor();
    await save.click();
    await page.getByText('Saved web').waitFor();
    expect((await theService()).metadata.labels).toMatchObject({ ring: 'early', size: 'large' });
  });

  it('The editor colors keys, keeps the indent of a new line, undoes, and selects lines that are not on the screen', async () => {
    const lines = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`key-${1000 + at}`, 'value']));
    const maps = one.winnow.objects(configMaps, WHERE);
    await maps.create({ metadata: { name: 'long' }, data: lines });
    const page = await open('/configmaps?ns=*&open=configmaps:default/long&tab=yaml');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('.cm-line .yaml-key', { hasText: 'key-1000:' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('key-new: here');
    await page.locator('.cm-line', { hasText: /^ {2}key-new: here$/ }).waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('.cm-line', { hasText: 'key-new' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+End');
    await page.locator('.cm-line', { hasText: 'key-1399: value' }).waitFor();
    await page.keyboard.press('Control+Home');
    await page.locator('.cm-line', { hasText: 'apiVersion: v1' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('none');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('alert').getByText('The draft is not an object').waitFor();
    await maps.delete('long');
  });

  it('A draft that is no YAML names the line', async () => {
    const page = await open(`${DRAWER}&tab=yaml`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await type(page, 'team', 'team: [');
    await page.getByRole('button', { name: 'Review' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Line \d+/)
      .waitFor();
  });
});

describe('The history', () => {
  it('A change shows its user, manager and fields, and Undo takes it back after it showed the difference', async () => {
    await one.winnow.objects(services, WHERE).patch('web', { metadata: { labels: { team: 'billing' } } });
    const page = await open(`${DRAWER}&tab=history`);
    const newest = page.locator('.changes > li').first();
    await newest.getByText('~labels.team=billing').waitFor();
    await newest.getByText('by winnow-client').waitFor();
    await newest.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: /^Undo: web as it was at/ });
    await dialog.getByLabel('What would change').getByText('team: shop').waitFor();
    expect((await theService()).metadata.labels?.team).toBe('billing');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^web is as it was at/).waitFor();
    expect((await theService()).metadata.labels?.team).toBe('shop');
  });

  it('A restore of an object that changed meanwhile writes nothing', async () => {
    const page = await open(`${DRAWER}&tab=history`);
    await one.winnow.objects(services, WHERE).patch('web', { metadata: { labels: { team: 'billing' } } });
    await page.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What would change').waitFor();
    await one.winnow.objects(services, WHERE).patch('web', { metadata: { labels: { team: 'search' } } });
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('The object has changed meanwhile, and nothing was written.').waitFor();
    expect((await theService()).metadata.labels?.team).toBe('search');
  });

  it('An object is deleted after a question, and its history creates it again', async () => {
    const page = await open(DRAWER);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Service web?' });
    await question.getByRole('radio', { name: /Background/ }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted web').waitFor();
    await page.getByRole('button', { name: 'Create again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create again' }).click();
    await page.getByText(/^web is as it was at/).waitFor();
    expect((await theService()).spec).toMatchObject({ selector: { app: 'web' } });
  });
});

describe('The Events', () => {
  it('Events of the object are listed, and Refresh shows new ones', async () => {
    const page = await open('/pods?ns=*&open=pods:default/web-1&tab=events');
    await page.getByText('No Events').waitFor();
    await one.winnow.objects(events, WHERE).create({
      metadata: { name: 'web-1.1' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-1' },
      reason: 'BackOff',
      message: 'Back-off restarting failed container',
      type: 'Warning',
      lastTimestamp: '2026-01-01T00:00:00Z',
    });
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByRole('row', { name: /Warning: BackOff Back-off restarting/ }).waitFor();
  });
});

describe('What the user may not do', () => {
  it("An error stays in its panel, in the server's words with the audit id", async () => {
    const page = await open('/');
    await page.route('**/selectedby', (request) =>
      request.fulfill({
        status: 403,
        json: {
          kind: 'Status',
          status: 'Failure',
          code: 403,
          reason: 'Forbidden',
          message: 'services "web" is forbidden: no',
        },
      }),
    );
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(DRAWER)})`);
    await page.reload();
    const column = page.locator('.selections-column').first();
    await column.getByText('403 Forbidden: services "web" is forbidden: no').waitFor();
    await column.getByText('Audit id').waitFor();
    await page.getByRole('link', { name: 'web-1' }).waitFor();
  });

  it('A read-only console offers no write and says why, and hides what Secrets hold', async () => {
    await one.winnow
      .objects(secrets, WHERE)
      .create({ metadata: { name: 'key' }, stringData: { token: 'hush' } });
    const readOnly = await startConsole({ readOnly: true, secrets: false, service: one.service });
    try {
      opened = await readOnly.open(DRAWER);
      const { page } = opened;
      for (const name of ['Edit', 'Delete']) {
        const button = page.getByRole('button', { name, exact: true });
        expect([await button.isDisabled(), await button.getAttribute('title')]).toEqual([
          true,
          'The console runs with --read-only',
        ]);
      }
      await page.evaluate(`history.pushState(null, '', '/secrets?ns=*&open=secrets:default/key&tab=yaml')`);
      await page.reload();
      await page.getByText('The data of Secrets is hidden').waitFor();
      const title = await page.getByRole('button', { name: 'Delete', exact: true }).getAttribute('title');
      expect(title).toContain('The data of Secrets is hidden');
      expect(await page.getByLabel('YAML of key').innerText()).not.toContain('aHVzaA==');
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByText('The history of Secrets is not shown').waitFor();
    } finally {
      expect(opened?.problems).toEqual([]);
      await opened?.close();
      opened = undefined;
      await readOnly.stop();
      await one.winnow.objects(secrets, WHERE).delete('key');
    }
  });
});

it('The owners stand above an object, also one that does not exist any more', async () => {
  const maps = one.winnow.objects(configMaps, WHERE);
  const top = await maps.create({ metadata: { name: 'top' }, data: {} });
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'top', uid: top.metadata.uid, controller: true },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'lost', uid: 'u-lost' },
  ];
  await maps.create({ metadata: { name: 'leaf', ownerReferences }, data: {} });
  const page = await open('/configmaps?ns=*&open=configmaps:default/leaf');
  await page.getByText('lost does not exist any more').waitFor();
  await page.locator('.tree').getByRole('link', { name: 'top' }).waitFor();
  await maps.delete('leaf');
  await maps.delete('top');
});

describe.each([{ dark: false }, { dark: true }])('axe finds nothing (%p)', ({ dark }) => {
  it.each([
    ['the overview', '', 'Selected by'],
    ['the YAML', 'yaml', 'apiVersion'],
    ['the history', 'history', 'Created'],
    ['the Events', 'events', 'No Events'],
  ])('in %s', async (_name, tab, text) => {
    const page = await open(`${DRAWER}&tab=${tab}`, { dark });
    await page.locator('.drawer-panel').getByText(text).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('in the editor', async () => {
    const page = await open(`${DRAWER}&tab=yaml`, { dark });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'YAML of web' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
