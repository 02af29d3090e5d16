import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { accessibilityFaults, closeBrowser, type OpenPage } from './browser.ts';
import { type ConsoleService, startConsole } from './console-page.ts';

let one: ConsoleService;
/** A console that writes nothing, and one whose user has few rights. */
let reading: ConsoleService;
let janes: ConsoleService;
let opened: OpenPage | undefined;

const WINNOW = '/apis/winnow.dev/v1';
const RBAC = 'rbac.authorization.k8s.io';

beforeAll(async () => {
  one = await startConsole();
  const { service } = one;
  reading = await startConsole({ service, readOnly: true });
  janes = await startConsole({ service, headers: { 'impersonate-user': 'jane' } });
  await create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await Promise.all([
    ...['web-1', 'web-2'].map((name) => createPod(name, { app: 'web', environment: 'production' })),
    createPod('web-3', { app: 'web', environment: 'qa' }),
    createPod('cart-1', { app: 'cart' }),
    createNode('a', { disk: 'ssd' }),
    createNode('b', { disk: 'hdd' }),
    create('/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies', {
      metadata: { name: 'cart-from-web' },
      spec: {
        podSelector: { matchLabels: { app: 'cart' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { environment: 'production' } } }] }],
      },
    }),
    create(`/apis/${RBAC}/v1/namespaces/shop/rolebindings`, {
      metadata: { name: 'jane' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'jane' }],
    }),
    create(`${WINNOW}/namespaces/shop/subscriptions`, {
      metadata: { name: 'webs' },
      spec: { resource: { resource: 'pods' }, labelSelector: 'app=web', start: 'snapshot' },
    }),
    create(`${WINNOW}/namespaces/shop/tallies`, {
      metadata: { name: 'by-app' },
      spec: { resource: { resource: 'pods' }, groupBy: ['app'], bounds: { max: 3 } },
    }),
  ]);
});

afterEach(async () => {
  const problems = opened?.problems ?? [];
  await opened?.close();
  opened = undefined;
  expect(problems).toEqual([]);
});

afterAll(async () => {
  await closeBrowser();
  await reading?.stop();
  await janes?.stop();
  await one?.stop();
});

const create = (path: string, body: object) => one.winnow.request(path, { method: 'POST', body });

const createPod = (name: string, labels: Record<string, string>) => {
  const spec = { containers: [{ name: 'main', image: 'web' }] };
  return create('/api/v1/namespaces/shop/pods', { metadata: { name, labels }, spec });
};

const label = (name: string, labels: Record<string, string | null>) =>
  one.winnow.request(`/api/v1/namespaces/shop/pods/${name}`, {
    method: 'PATCH',
    body: { metadata: { labels } },
    contentType: 'application/merge-patch+json',
  });

async function createNode(name: string, labels: Record<string, string>): Promise<void> {
  await create('/api/v1/nodes', { metadata: { name, labels } });
  const status = {
    allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  const contentType = 'application/merge-patch+json';
  await one.winnow.request(`/api/v1/nodes/${name}/status`, {
    method: 'PATCH',
    body: { status },
    contentType,
  });
}

async function open(path: string, by = one): Promise<Page> {
  opened = await by.open(path);
  return opened.page;
}

async function seeAs(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'See as another user' }).click();
  return page.getByRole('dialog', { name: 'See as another user' });
}

const queryOf = (page: Page) => new URL(page.url()).searchParams;

describe('Subscriptions', () => {
  it('A Subscription shows its phase in words, and the changes that its queue was told', async () => {
    const page = await open('/subscriptions?ns=shop');
    const pane = page.getByRole('region', { name: 'Subscription webs' });
    await pane.getByText('Winnow sends each change as it happens.').waitFor();
    await pane.getByText('pods in shop with app=web').waitFor();
    await label('web-3', { app: 'other' });
    const left = pane.getByRole('listitem').filter({ hasText: 'left' });
    await left.getByText('app=other').waitFor();
    await pane.getByText(/^All sent up to/).waitFor();
    await label('web-3', { app: 'web' });
  });

  it('Changes wait above the line while the Subscription is suspended', async () => {
    const page = await open('/subscriptions?ns=shop');
    const pane = page.getByRole('region', { name: 'Subscription webs' });
    await pane.getByRole('button', { name: 'Suspend' }).click();
    await pane.getByText('Winnow sends nothing.').waitFor();
    await label('web-3', { ring: 'early' });
    await pane.getByText(/^\d waiting above/).waitFor();
    await pane.getByRole('button', { name: 'Resume' }).click();
    await pane.getByText(/^All sent up to/).waitFor();
  });

  it('The form counts the objects that match, checks the object first, and creates it', async () => {
    const page = await open('/subscriptions?ns=shop');
    await page.getByRole('button', { name: 'New Subscription' }).click();
    const form = page.getByRole('dialog', { name: 'New Subscription' });
    await form.getByLabel('Name', { exact: true }).fill('webs');
    await form.getByLabel('Label selector').fill('app=web,environment===');
    await form.getByRole('alert').getByText("found '='").waitFor();
    await form.getByText('Nothing, while the selector is wrong').waitFor();
    await form.getByLabel('Label selector').fill('app=web,environment=production');
    await form.getByText('2 objects match').waitFor();
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByRole('alert').getByText('"webs" already exists').waitFor();
    await form.getByText('Audit id').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('webs-in-production');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('region', { name: 'Subscription webs-in-production' }).waitFor();
    expect(queryOf(page).get('fields')).toBe('metadata.name=webs-in-production,metadata.namespace=shop');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'webs-in-production' }).waitFor({ state: 'detached' });
  });

  it('A namespace without a Subscription says what one is good for', async () => {
    const page = await open('/subscriptions?ns=kube-public');
    await page.getByText('No Subscription here yet.').waitFor();
    await page.getByText('The queue gets a message whenever an object enters the set').waitFor();
  });

  it('A read-only console offers no writes, and says why', async () => {
    const page = await open('/subscriptions?ns=shop', reading);
    for (const name of ['New Subscription', 'Suspend', 'Delete']) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(await button.getAttribute('title')).toContain('--read-only');
    }
  });

  it.each([
    ['create', 'New Subscription', 'Create'],
    ['delete', 'Delete', 'Delete'],
  ])('A user who may not %s sees why in the dialog', async (verb, command, confirm) => {
    const page = await open('/subscriptions?ns=shop', janes);
    await page.getByRole('region', { name: 'Subscription webs' }).waitFor();
    await page.getByRole('button', { name: command }).click();
    const dialog = page.getByRole('dialog');
    if (verb === 'create') await dialog.getByLabel('Name', { exact: true }).fill('mine');
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    const panel = dialog.getByRole('alert').filter({ hasText: '403 Forbidden' });
    await panel.getByText(new RegExp(`User "jane" cannot ${verb} resource "subscriptions"`)).waitFor();
    await panel.getByText('Audit id').waitFor();
  });

  it('A page that sees as another user offers no writes, and says why', async () => {
    const page = await open('/subscriptions?ns=shop&as=jane');
    for (const name of ['New Subscription', 'Suspend', 'Delete']) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      expect([await button.isDisabled(), await button.getAttribute('title')]).toEqual([
        true,
        'You see as jane, and the console writes as yourself only. Stop seeing as jane first',
      ]);
    }
  });

  it('A user without the right to list sees the words of the server with the audit id', async () => {
    const page = await open('/subscriptions', janes);
    const panel = page.getByRole('alert').filter({ hasText: 'cannot list resource "subscriptions"' });
    await panel.getByText('403 Forbidden').waitFor();
    await panel.getByText('Audit id').waitFor();
  });
});

describe('Tallies', () => {
  it('A count follows the objects, and a bar leads to the objects of its group', async () => {
    const page = await open('/tallies?ns=shop');
    const card = page.getByRole('region', { name: 'Tally by-app' });
    await card.getByText('above the bounds: at most 3').waitFor();
    const cart = card.getByRole('row', { name: /cart/ });
    await cart.getByText('1', { exact: true }).waitFor();
    await createPod('cart-2', { app: 'cart' });
    await cart.getByText('2', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'cart' }).click();
    await page.getByText('2 objects').waitFor();
    expect(queryOf(page).get('q')).toBe('app=cart');
  });

  it('A create whose answer is lost is not repeated: the page looks whether the object is there', async () => {
    const page = await open('/tallies?ns=shop');
    let creates = 0;
    await page.route('**/tallies?*', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST' || request.url().includes('dryRun')) return route.continue();
      creates += 1;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'New Tally' }).click();
    const form = page.getByRole('dialog', { name: 'New Tally' });
    await form.getByLabel('Name', { exact: true }).fill('by-environment');
    await form.getByLabel('Count by').fill('environment');
    await form.getByText('production 2').waitFor();
    await form.getByLabel('At least').fill('5');
    await form.getByLabel('At most').fill('4');
    await form.getByRole('alert').getByText('Less than “At least”').waitFor();
    expect(await form.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await form.getByLabel('At most').fill('5');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('The answer was lost').waitFor();
    await form.getByText('An object of this name exists now').waitFor();
    expect(creates).toBe(1);
  });
});

describe('Placement', () => {
  it('Pasted YAML gets its nodes with the reasons of the others, and the link reproduces it', async () => {
    const page = await open('/placement');
    await page.getByRole('button', { name: 'YAML' }).click();
    await page
      .getByRole('textbox', { name: 'YAML or JSON of one object' })
      .fill('kind: Pod\nspec: {a: b: c}');
    await page.getByRole('button', { name: 'Place' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Line 2, column/)
      .waitFor();
    await page.getByRole('button', { name: 'Example' }).click();
    await page.getByRole('button', { name: 'Place' }).click();
    await page.getByText('The pod would go to a: 1 node accepts it.').waitFor();
    await page.reload();
    await page.getByRole('row', { name: /^a chosen/ }).waitFor();
    await page.getByRole('row', { name: /^b refused .* NodeAffinity/ }).waitFor();
    await page.getByRole('button', { name: /1 node didn't match/ }).click();
    await page.getByRole('row', { name: /^a chosen/ }).waitFor({ state: 'detached' });
  });

  it('Pasted YAML that is too long for an address outlives a reload', async () => {
    const page = await open('/placement');
    await page.getByRole('button', { name: 'YAML' }).click();
    await page.getByRole('button', { name: 'Example' }).click();
    const field = page.getByRole('textbox', { name: 'YAML or JSON of one object' });
    await field.fill(`${await field.inputValue()}\n# ${'long '.repeat(4_000)}`);
    await page.getByRole('button', { name: 'Place' }).click();
    await page.getByText(/The pod would go to a/).waitFor();
    expect(page.url().length).toBeLessThan(1_000);
    await page.reload();
    await page.getByText(/The pod would go to a/).waitFor();
  });

  it('A stored pod is placed as if it had no node yet, and several pods may not all fit', async () => {
    const page = await open('/placement?ns=shop');
    await page.getByRole('button', { name: 'web-1' }).click();
    await page.getByText(/The pod would go to/).waitFor();
    expect(queryOf(page).get('q')).toBe('pods:shop/web-1');
    await page.getByLabel('Pods').fill('30');
    await page.keyboard.press('Enter');
    await page.getByText('20 of 30 pods get a node.').waitFor();
  });
});

describe('Reachability', () => {
  it('A cell says whether pods may send, and its explanation names the policy', async () => {
    const page = await open('/reachability?ns=shop');
    await page
      .getByRole('button', { name: /^web → cart: partly, / })
      .or(page.locator('[title^="web → cart: partly"]'))
      .first()
      .waitFor();
    await page.locator('[title^="cart → web: yes"]').waitFor();
    await page.locator('[title^="web → web"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const explanation = page.getByRole('region', { name: 'Explanation of web → cart' });
    await explanation.getByText('denied').waitFor();
    await explanation.getByText('allowed', { exact: true }).waitFor();
    await explanation.getByText(/ingress\[0\] of NetworkPolicy shop\/cart-from-web allows it/).waitFor();
    expect(queryOf(page).get('pivot')).toBe('web,cart');
    await page.reload();
    await explanation.getByText('denied').waitFor();
  });

  it('Another port or label asks again, and a wrong port says what is wrong', async () => {
    const page = await open('/reachability?ns=shop&keys=environment');
    await page.locator('[title^="production → qa: yes"]').waitFor();
    await page.getByLabel('Port').fill('99999');
    await page.getByText('Use a number from 1 to 65535').waitFor();
    await page.getByLabel('Port').fill('http');
    await page.keyboard.press('Enter');
    await page.locator('[title^="production → qa: failed"]').click();
    await page
      .getByText(/has no TCP port of this name/)
      .first()
      .waitFor();
  });
});

describe('See as another user', () => {
  it('The window tells what the user may do, and the page then reads as that user', async () => {
    const page = await open('/tallies?ns=shop');
    const dialog = await seeAs(page);
    await dialog.getByRole('button', { name: 'jane' }).click();
    const row = dialog.getByRole('row', { name: /^pods/ });
    await eventually(
      'the rights are there',
      async () => (await row.getByRole('cell').allInnerTexts()).join() === 'yes,yes,yes,no,no,no',
    );
    await dialog.getByRole('button', { name: 'See', exact: true }).click();
    await page.getByText('seen as jane').waitFor();
    await page.getByRole('region', { name: 'Tally by-app' }).waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('');
    await page
      .getByRole('alert')
      .getByText(/User "jane" cannot list/)
      .waitFor();
    await page.getByText('Rights may hold in one namespace only: choose a namespace.').waitFor();
    await page.locator('header.top').getByText('read-only').waitFor();
  });

  it('A user who may not impersonate gets the words of the server', async () => {
    const page = await open('/tallies?ns=shop');
    const message = 'users "tina" is forbidden: User "jane" cannot impersonate resource "users"';
    const json = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message };
    await page.route('**/version', (route) => route.fulfill({ status: 403, json }));
    const dialog = await seeAs(page);
    await dialog.getByLabel('User').fill('tina');
    await page.keyboard.press('Enter');
    await dialog.getByText('The page cannot read as this user').waitFor();
    await dialog.getByRole('alert').getByText(message).waitFor();
  });
});

describe('axe finds nothing in both themes', () => {
  const check = async (page: Page) => {
    // Without reduced motion, the colors would still change while axe reads them.
    const reducedMotion = 'reduce';
    await page.emulateMedia({ reducedMotion });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion });
      expect(await accessibilityFaults(page)).toEqual([]);
    }
  };

  it.each([
    ['Subscriptions', '/subscriptions?ns=shop', 'All sent up to'],
    ['Tallies', '/tallies?ns=shop', 'above the bounds'],
    ['Placement', '/placement?ns=shop&q=pods:shop/web-1', 'The pod would go to'],
    ['Reachability', '/reachability?ns=shop&pivot=web,cart', 'allows it'],
  ])('in the view %s', async (_name, path, text) => {
    const page = await open(path);
    await page.getByText(text).first().waitFor();
    await check(page);
  });

  it.each([
    ['New Subscription', '/subscriptions?ns=shop'],
    ['New Tally', '/tallies?ns=shop'],
  ])('in the window %s', async (name, path) => {
    const page = await open(path);
    await page.getByRole('button', { name }).click();
    await page.getByText('objects match').waitFor();
    await check(page);
  });

  it('in the window See as', async () => {
    const page = await open('/placement?as=jane&ns=shop');
    const dialog = await seeAs(page);
    await dialog.getByText('What jane may do').waitFor();
    await check(page);
  });
});
