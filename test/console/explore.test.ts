import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { resource } from '../../lib/client/objects/index.ts';
import { eventually } from '../support/eventually.ts';
import { accessibilityFaults, closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

const pods = resource('v1', 'pods', { kind: 'Pod' });
const configMaps = resource('v1', 'configmaps', { kind: 'ConfigMap' });

let one: ConsoleService;
let opened: OpenPage | undefined;

beforeAll(async () => {
  one = await startConsole();
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      create(`web-${at}`, {
        app: 'web',
        tier: at < 8 ? 'frontend' : 'backend',
        environment: at % 3 === 0 ? 'qa' : 'production',
      }),
    ),
  );
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

async function create(name: string, labels: Record<string, string>): Promise<void> {
  const spec = { containers: [{ name: 'main', image: 'web' }] };
  await one.winnow.objects(pods, { namespace: 'default' }).create({ metadata: { name, labels }, spec });
}

async function label(name: string, labels: Record<string, string | null>): Promise<void> {
  await one.winnow.objects(pods, { namespace: 'default' }).patch(name, { metadata: { labels } } as never);
}

async function open(path: string, options?: { dark: boolean }): Promise<OpenPage> {
  opened = await one.open(path, options);
  return opened;
}

describe('The set', () => {
  it('A row appears when its object enters the set, and says what it became when it leaves', async () => {
    const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
    await page.getByText('8 objects').waitFor();
    await create('late', { app: 'web', tier: 'frontend' });
    const row = page.getByRole('row', { name: /late/ });
    await row.getByText('entered').waitFor();
    await page.getByText('9 objects').waitFor();
    await label('late', { tier: 'backend' });
    await row.getByText('tier: frontend → backend').waitFor();
    await page.getByText('8 objects').waitFor();
    await row.waitFor({ state: 'detached' });
    await one.winnow.objects(pods, { namespace: 'default' }).delete('late');
  });

  it('A row says which label changed while its object stays in the set', async () => {
    const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
    await page.getByText('8 objects').waitFor();
    await label('web-1', { ring: 'early' });
    await page
      .getByRole('row', { name: /web-1 / })
      .getByText('+ring=early')
      .waitFor();
    await label('web-1', { ring: null });
  });

  it('No row moves under the pointer, and new rows wait', async () => {
    const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
    await page.getByText('8 objects').waitFor();
    await page.getByRole('row', { name: /web-2 / }).hover();
    await create('a-first', { tier: 'frontend' });
    await page.getByText('1 new').waitFor();
    expect(await page.getByRole('row', { name: /a-first/ }).count()).toBe(0);
    // A mark that began with the change would have ended.
    await page.waitForTimeout(2_000);
    await page.mouse.move(10, 10);
    await page
      .getByRole('row', { name: /a-first/ })
      .getByText('entered')
      .waitFor();
    await one.winnow.objects(pods, { namespace: 'default' }).delete('a-first');
  });
});

it('A click beside the name of a row opens its object', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  await page
    .getByRole('row', { name: /web-2 / })
    .getByRole('gridcell')
    .nth(2)
    .click();
  await page.getByRole('heading', { name: 'web-2' }).waitFor();
});

it('The rows stay when a column is sorted under the pointer', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  await page.getByText('8 objects').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Name ↑' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(9);
});

describe('The selector', () => {
  it('A wrong selector of a link is explained', async () => {
    const { page } = await open('/pods?ns=*&q=tier%3D%3D%3D');
    await page.getByRole('alert').getByText("found '=', expected: identifier").first().waitFor();
  });

  it('A selector that narrows the set selects while the user types, and Enter makes it a link', async () => {
    const { page } = await open('/pods?ns=*');
    await page.getByText('12 objects').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tier=backend');
    await page.getByText('4 of 12').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('4 objects').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('tier=backend');
  });

  it('A wrong selector is marked at its place in words of Kubernetes, and the set stays', async () => {
    const { page } = await open('/pods?ns=*');
    await page.getByText('12 objects').waitFor();
    const field = page.getByRole('combobox', { name: 'Label selector' });
    await field.fill('tier=frontend,environment === qa');
    await page.getByRole('alert').getByText("found '=', expected: identifier").waitFor();
    expect(await page.locator('.selector-mirror .wrong').innerText()).toBe('=');
    expect(await page.getByRole('row').count()).toBeGreaterThan(12);
  });

  it('Keys and values are completed with the number of objects that have them', async () => {
    const { page } = await open('/pods?ns=*');
    const field = page.getByRole('combobox', { name: 'Label selector' });
    await field.click();
    await page.keyboard.type('ti');
    await page.getByRole('option', { name: /tier\s*12/ }).click();
    await page.getByRole('option', { name: 'tier=', exact: true }).click();
    await page.getByRole('option', { name: /frontend\s*8/ }).waitFor();
    await page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('tier=frontend');
  });

  it('A click on a value adds it to the selector, and another click excludes a value', async () => {
    const { page } = await open('/pods?ns=*');
    await page.getByRole('button', { name: 'qa', exact: true }).click();
    await page.getByText('4 objects').waitFor();
    const row = page.locator('.facet-value', { hasText: 'backend' });
    await row.hover();
    await row.getByRole('button', { name: 'Exclude backend' }).click();
    await page.getByText('3 objects').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('environment=qa,tier!=backend');
    // The counts follow the set.
    await page.locator('.facet-value', { hasText: 'frontend' }).getByText('3', { exact: true }).waitFor();
    // The values that the selector excludes stay, so that the user can go back, and the focus stays on the button.
    await page.locator('.facet-value', { hasText: 'production' }).getByText('5', { exact: true }).waitFor();
    const undo = row.getByRole('button', { name: 'Do not exclude backend' });
    await undo.and(page.locator(':focus')).waitFor();
    await undo.press('Enter');
    await page.getByText('4 objects').waitFor();
  });

  it('A key or a value that is only begun keeps the set, dimmed', async () => {
    const { page } = await open('/pods?ns=*');
    await page.getByText('12 objects').waitFor();
    const field = page.getByRole('combobox', { name: 'Label selector' });
    for (const text of ['enviro', 'tier=back']) {
      await field.fill(text);
      await page.locator('.set-rows.dimmed').waitFor();
      expect(await page.getByRole('row').count()).toBe(13);
    }
    await field.fill('tier=backend,enviro');
    await page.getByText('4 of 12').waitFor();
    await field.fill('tier=none');
    await page.getByText('No object matches what you have typed so far').waitFor();
  });
});

describe('The facets', () => {
  it('A key that all objects have comes first, also with a value for each object; an empty value is told', async () => {
    const all = one.winnow.objects(configMaps, { namespace: 'default' });
    const created = ['a', 'b', 'c'].map((name) =>
      all.create({ metadata: { name, labels: { owner: name, shared: 'x', tier: name === 'a' ? '' : 'y' } } }),
    );
    await Promise.all(created);
    const { page } = await open('/configmaps?ns=default');
    const heads = page.locator('.facet-head h3');
    await heads.first().waitFor();
    expect(await heads.allInnerTexts()).toEqual(['tier', 'owner', 'shared']);
    await page.getByRole('button', { name: '(empty)', exact: true }).click();
    await page.getByText('1 object', { exact: true }).waitFor();
    await page.locator('.row .chip', { hasText: 'tier (empty)' }).waitFor();
    // The keys keep their places, although all objects share their values now.
    expect(await heads.allInnerTexts()).toEqual(['tier', 'owner', 'shared']);
    await page.goto(new URL('/configmaps?ns=default&mode=pivot&pivot=tier,owner', page.url()).href);
    await page.getByRole('rowheader', { name: '(empty)' }).waitFor();
    await Promise.all(['a', 'b', 'c'].map((name) => all.delete(name)));
  });

  it('A narrow window has the facets, too, and all commands of the set', async () => {
    const { page } = await open('/pods?ns=*');
    await page.setViewportSize({ width: 900, height: 700 });
    await page.locator('.facets').getByRole('heading', { name: 'tier' }).waitFor();
    const box = await page.getByRole('button', { name: 'Export' }).boundingBox();
    expect((box?.x ?? 900) + (box?.width ?? 0)).toBeLessThan(900);
  });
});

it('A set that the server refuses is told once, without a count', async () => {
  const { page } = await open('/pods?ns=default&fields=spec.nope%3Dx');
  await page.getByRole('alert').getByText('field label not supported: spec.nope').waitFor();
  expect(await page.getByText('not supported').count()).toBe(1);
  await page.getByText('Every kind has metadata.name and metadata.namespace').waitFor();
  expect(await page.getByText('0 objects').count()).toBe(0);
});

it('The past says above its rows how many objects changed since then', async () => {
  const { page } = await open(`/pods?ns=*&at=${new Date().toISOString()}`);
  // The rows do not fit.
  await page.setViewportSize({ width: 1280, height: 300 });
  const note = page.getByText('12 objects then. Since then 0 left, 0 entered, 0 changed their labels.');
  const [above, titles] = [await note.boundingBox(), await page.locator('.row.titles').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(titles?.y ?? 0);
});

it('The pivot counts combinations, and a cell leads to its objects', async () => {
  const { page } = await open('/pods?ns=*&mode=pivot&pivot=tier,environment');
  const cell = page
    .getByRole('row', { name: /frontend/ })
    .getByRole('link')
    .first();
  expect(await cell.innerText()).toBe('5');
  await cell.click();
  await page.getByText('5 objects').waitFor();
});

it('A cell of a pivot leads to its objects while the user types a selector, too', async () => {
  const { page } = await open('/pods?ns=*&mode=pivot&pivot=tier,environment');
  await page.getByText('12 objects').waitFor();
  await page.getByRole('combobox', { name: 'Label selector' }).fill('tier=backend');
  await page.getByText('4 of 12').waitFor();
  const cell = page
    .getByRole('row', { name: /^backend/ })
    .getByRole('link')
    .first();
  const count = await cell.innerText();
  await cell.click();
  await page.getByText(`${count} objects`).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toContain('tier=backend');
});

it('An empty set names selectors that would match', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend,environment%3Dnone');
  await page.getByRole('button', { name: 'tier=frontend' }).click();
  await page.getByText('8 objects').waitFor();
});

it('The keys move, select and open rows', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  await page.getByText('8 objects').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Enter');
  await eventually(
    'the address names the object',
    () => new URL(page.url()).searchParams.get('open') === 'pods:default/web-1',
  );
});

it('The box in the head selects all rows, or none', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  const box = page.getByRole('checkbox', { name: 'Select all rows' });
  await page.getByText('8 objects').waitFor();
  await page.getByRole('checkbox', { name: 'Select web-2' }).check();
  await box.check();
  await page.getByText('8 selected').waitFor();
  await box.uncheck();
  await page.getByText('8 selected').waitFor({ state: 'detached' });
});

it('A saved selector is opened first and forgotten last, and can be saved again', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  const menu = page.getByRole('button', { name: 'Saved selectors' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Save this selector' }).click();
  await page.keyboard.press('Enter');
  await menu.click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    expect.stringContaining('tier=frontend'),
    'Forget "tier=frontend"',
  ]);
  await page.getByRole('menuitem', { name: /^Forget/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await menu.click();
  await page.getByRole('menuitem', { name: /^Forget/ }).waitFor();
});

it('The palette finds an object of the shown kind by its name', async () => {
  const { page } = await open('/pods?ns=*');
  await page.getByText('12 objects').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('web-3');
  await page.getByRole('option', { name: 'web-3 name in pods' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 object', { exact: true }).waitFor();
});

it('The footer explains how Winnow found the set', async () => {
  const { page } = await open('/pods?ns=*&q=tier%3Dfrontend');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByRole('cell', { name: /tier=frontend/ }).waitFor();
});

it('A page without a session asks for the link, and a used link opens no second session', async () => {
  const { page } = await open('/');
  await page.getByText('What do you want to see?').waitFor();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByText('This page needs a session').waitFor();
});

describe.each([{ dark: false }, { dark: true }])('axe finds nothing (%p)', ({ dark }) => {
  it.each([
    ['the start', '/'],
    ['a set', '/pods?ns=*&q=tier%3Dfrontend'],
    ['a pivot', '/pods?ns=*&mode=pivot'],
    ['the past', '/pods?ns=*&at=1m'],
  ])('in %s', async (_name, path) => {
    const { page } = await open(path, { dark });
    await page
      .getByText(/objects|What do you want|pods/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
