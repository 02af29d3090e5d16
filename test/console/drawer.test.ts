import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { resource } from '../../lib/client/objects/index.ts';
import { eventually } from '../support/eventually.ts';
import { accessibilityFaults, closeBrowser, type OpenPage, type PageOptions } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const WHERE = { namespace: 'default' };
const configMaps = resource('v1', 'configmaps', { kind: 'ConfigMap' });
const pods = resource('v1', 'pods', { kind: 'Pod' });
const secrets = resource('v1', 'secrets', { kind: 'Secret' });
const RBAC = 'rbac.authorization.k8s.io';
const LONG = 'x'.repeat(63);

let one: ConsoleService;
let opened: OpenPage | undefined;
let names = 0;

beforeAll(async () => {
  one = await startConsole();
  await one.winnow.request(`/apis/${RBAC}/v1/namespaces/default/rolebindings`, {
    method: 'POST',
    body: {
      metadata: { name: 'jane' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'jane' }],
    },
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

const maps = () => one.winnow.objects(configMaps, WHERE);

/** Creates a ConfigMap of a new name, and returns the name. */
async function createMap(labels: Record<string, string>, data: Record<string, string> = {}) {
  const name = `map-${names++}`;
  await maps().create({ metadata: { name, labels }, data });
  return name;
}

async function open(path: string, options?: PageOptions): Promise<Page> {
  opened = await one.open(path, options);
  return opened.page;
}

const openMap = (name: string, rest = '', options?: PageOptions) =>
  open(`/configmaps?ns=*&open=configmaps:default/${name}${rest}`, options);

/** Waits until an element that a CSS selector names has the focus. */
const focused = (page: Page, selector: string) =>
  eventually(`${selector} has the focus`, () =>
    page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`),
  );

/** Presses a button by the keyboard, as a user without a pointer. */
const press = (page: Page, name: string, within = 'body') =>
  page.locator(within).getByRole('button', { name, exact: true }).first().press('Enter');

/** Replaces the line of the label `team` in the draft, and asks for the review. */
async function draftTeam(page: Page, name: string, line: string): Promise<void> {
  await press(page, 'Edit');
  await page
    .getByRole('textbox', { name: `YAML of ${name}` })
    .getByText('team')
    .first()
    .click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type(line);
}

describe('A draft of an object that others changed', () => {
  it('The review shows the values of both sides, the whole difference, and what others changed', async () => {
    const name = await createMap({ team: 'shop', zone: 'a' }, { mode: 'fast' });
    const page = await openMap(name, '&tab=yaml');
    await draftTeam(page, name, 'team: billing');
    await maps().patch(name, { metadata: { labels: { team: '', zone: 'b' } } });
    await page.getByText('the review shows what differs').waitFor();
    await press(page, 'Review');
    const alert = page.getByRole('alert');
    await alert.getByRole('row', { name: 'metadata.labels.team billing (empty) winnow-client' }).waitFor();
    await alert.getByRole('row', { name: 'metadata.labels.zone a b winnow-client' }).waitFor();
    const mine = page.getByRole('region', { name: 'How your draft differs' });
    await mine.getByText('added: team: billing').waitFor();
    const theirs = page.getByRole('region', { name: 'What others changed meanwhile' });
    await theirs.getByText('removed: zone: a').waitFor();
    await theirs
      .getByText(/… \d+ unchanged lines/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('A review that is out of date shows what others changed meanwhile', async () => {
    const name = await createMap({ team: 'shop' });
    const page = await openMap(name, '&tab=yaml');
    await draftTeam(page, name, 'team: shop\nring: early');
    await press(page, 'Review');
    await page.getByLabel('What would change').getByText('ring: early').waitFor();
    await maps().patch(name, { metadata: { labels: { size: 'large' } } });
    await page
      .getByRole('region', { name: 'What others changed meanwhile' })
      .getByText('added: size: large')
      .waitFor();
  });
});

describe('The focus', () => {
  it('The panel has the focus after Review, "Take over" and Save, whose buttons go away', async () => {
    const name = await createMap({ team: 'shop' });
    const page = await openMap(name, '&tab=yaml');
    await draftTeam(page, name, 'team: billing');
    await press(page, 'Review');
    await page.getByRole('row', { name: /metadata.labels.team/ }).waitFor();
    await focused(page, '#drawer-panel');
    await press(page, 'Take over this field');
    await page.getByLabel('What would change').waitFor();
    await focused(page, '#drawer-panel');
    await press(page, 'Save');
    await page.getByText(`Saved ${name}`).waitFor();
    await focused(page, '#drawer-panel');
  });

  it('The command of the history has the focus after Esc in its dialog, after Undo, and after Restore', async () => {
    const name = await createMap({ team: 'shop' });
    await maps().patch(name, { metadata: { labels: { team: 'billing' } } });
    const page = await openMap(name, '&tab=history');
    await press(page, 'Undo');
    const dialog = page.getByRole('dialog', { name: new RegExp(`^Undo: ${name} as it was at version`) });
    await dialog.getByLabel('What would change').waitFor();
    await page.keyboard.press('Escape');
    await focused(page, '.change-actions .link');
    await press(page, 'Undo');
    await dialog.getByLabel('What would change').waitFor();
    await press(page, 'Undo', 'dialog');
    await page.getByText(`${name} is as it was at version`).waitFor();
    await focused(page, '.change-actions .link');
    await page.locator('.changes > li').nth(2).waitFor();
    await press(page, 'Restore');
    await page
      .getByRole('dialog', { name: /^Restore: / })
      .getByLabel('What would change')
      .waitFor();
    await press(page, 'Restore', 'dialog');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, '.change-actions .link');
  });

  it('The palette gives the focus back after Esc, and to the content after a choice', async () => {
    const page = await open('/pods?ns=*');
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Control+k');
    await focused(page, '.palette input');
    await page.keyboard.press('Escape');
    await focused(page, '[aria-label=More]');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Go to a kind, namespace or view' }).press('Enter');
    await focused(page, '.palette input');
    await page.getByRole('option', { name: 'Subscriptions view' }).waitFor();
    await page.keyboard.type('talli');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tallies' }).waitFor();
    await focused(page, 'main');
  });

  it('A dialog with a form begins in its first field, and keeps what the user types there', async () => {
    const page = await open('/pods?ns=*&q=app%3Dweb');
    await press(page, 'Saved selectors');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save this selector' }).waitFor();
    await page.keyboard.type('the webs');
    await page.keyboard.press('Enter');
    await press(page, 'Saved selectors');
    await page.getByRole('menuitem', { name: 'the webs pods app=web' }).waitFor();
  });
});

describe('The overview', () => {
  it('The data of a ConfigMap are shown: long values are cut with a count, and lines stay lines', async () => {
    const data = { empty: '', long: 'y'.repeat(2_000), 'app.yaml': 'a: 1\nb: 2' };
    const page = await openMap(await createMap({}, data));
    const value = (key: string) => page.locator('.fields > div', { hasText: key }).locator('dd');
    await value('empty').getByText('(empty)').waitFor();
    expect(await value('app.yaml').innerText()).toBe('a: 1\nb: 2');
    expect((await value('long').innerText()).length).toBeLessThan(250);
    await value('long').getByRole('button', { name: 'all 2,000 characters' }).click();
    expect((await value('long').innerText()).length).toBeGreaterThan(2_000);
  });

  it('Of a Secret, the overview shows the keys with the number of bytes', async () => {
    const all = one.winnow.objects(secrets, WHERE);
    await all.create({ metadata: { name: 'key' }, stringData: { token: 'hush' } });
    const page = await open('/secrets?ns=*&open=secrets:default/key');
    await page.locator('.fields > div', { hasText: 'token' }).getByText('4 bytes').waitFor();
    expect(await page.locator('.drawer-panel').innerText()).not.toMatch(/hush|aHVzaA/);
  });

  it.each([1440, 900])('Long labels and names do not scroll the drawer sideways (%p px)', async (width) => {
    const labels = { [LONG]: LONG, [`example.com/${LONG}`]: LONG, empty: '' };
    const page = await openMap(await createMap(labels));
    await page.setViewportSize({ width, height: 700 });
    await page.locator('.overview .chip', { hasText: 'empty' }).getByText('(empty)').waitFor();
    const panel = "document.querySelector('.drawer-panel')";
    expect(await page.evaluate(`${panel}.scrollWidth - ${panel}.clientWidth`)).toBe(0);
  });

  it('A long name in a column is cut on one line, with the whole name as its title', async () => {
    const name = `a-${LONG}.${LONG}.${LONG}`;
    const all = one.winnow.objects(pods, WHERE);
    await all.create({
      metadata: { name, labels: { app: 'long' } },
      spec: { containers: [{ name: 'main', image: 'web' }] },
    });
    await one.winnow.request('/api/v1/namespaces/default/services', {
      method: 'POST',
      body: { metadata: { name: 'long' }, spec: { selector: { app: 'long' }, ports: [{ port: 80 }] } },
    });
    const page = await open('/services?ns=*&open=services:default/long');
    const link = page.locator('.nodes').getByRole('link', { name });
    expect(await link.getAttribute('title')).toBe(name);
    expect((await link.boundingBox())?.height).toBeLessThan(24);
  });

  it('The history tells an empty value', async () => {
    const name = await createMap({ team: 'shop' });
    await maps().patch(name, { metadata: { labels: { team: '' } } });
    const page = await openMap(name, '&tab=history');
    await page.locator('.changed-fields').getByText('~labels.team=(empty)').waitFor();
    await page.getByLabel('changes of the status, too').check();
  });

  it('An object that never existed has no history, and the page says so', async () => {
    const page = await openMap('nosuch');
    await page.getByText('It has no history: it never existed.').waitFor();
  });
});

describe('An object as another user sees it', () => {
  it('The drawer reads as that user, writes nothing, and says why', async () => {
    const name = await createMap({ team: 'shop' });
    const page = await openMap(name, '&as=jane', { dark: true });
    await page.locator('.overview .chip', { hasText: 'shop' }).waitFor();
    for (const button of ['Edit', 'Delete']) {
      const found = page.getByRole('button', { name: button, exact: true });
      expect([await found.isDisabled(), await found.getAttribute('title')]).toEqual([
        true,
        'You see as jane, and the console writes as yourself only. Stop seeing as jane first',
      ]);
    }
    await page.getByRole('tab', { name: 'YAML' }).click();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Created').waitFor();
    await maps().patch(name, { metadata: { labels: { team: 'billing' } } });
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(await undo.isDisabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('What another user may not read is not shown, also if it was shown before, and comes back', async () => {
    const name = await createMap({ team: 'shop' });
    const page = await openMap(name, '&as=jane');
    const chip = page.locator('.overview .chip', { hasText: 'shop' });
    await chip.waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'See as another user' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'See as another user' });
    await dialog.getByLabel('User').fill('tina');
    await dialog.getByRole('button', { name: 'See', exact: true }).click();
    await page
      .locator('.drawer')
      .getByRole('alert')
      .getByText(/User "tina" cannot get/)
      .waitFor();
    expect(await chip.count()).toBe(0);
    await page.getByRole('button', { name: 'Stop seeing as another user' }).click();
    await chip.waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isEnabled()).toBe(true);
  });
});
