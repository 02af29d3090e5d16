import type { Page } from 'playwright-core';
import { openConsoleBefore } from '../../console/console-page.ts';
import { expectLabel, KEY, newValue, PLACE, podOf, relabel, SELECTOR, WATCHED_KEY } from './objects.ts';
import { onScreen, PageHand } from './page-hand.ts';
import type { OpenProgram, Program, World } from './program.ts';
import { REASONS } from './world.ts';

/** The console of this repository, in Chromium. */
export const winnowConsole: Program = {
  name: 'console of Winnow',
  open: async (world) => {
    const { console, open } = await openConsoleBefore(world.http.url);
    const { page, close } = await open('/pods?ns=default');
    page.setDefaultTimeout(world.patience);
    await showsAll(page, world);
    return {
      tasks: tasksOn(page, world),
      close: async () => {
        await close();
        await console.stop();
      },
    };
  },
};

function tasksOn(page: Page, world: World): OpenProgram['tasks'] {
  const { http, found } = world;
  const pod = podOf(PLACE);
  const drawer = page.locator('.drawer');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const openPod = async (hand: PageHand) => {
    await hand.click(row(pod.name).getByRole('link'));
  };
  return {
    find: async (hand) => {
      await backToList(page, world);
      const user = new PageHand(page, hand);
      await user.press('/');
      await user.type(SELECTOR);
      await onScreen(page.locator('.count', { hasText: `${found.length.toLocaleString('en')} of` }));
      await onScreen(row(podOf(found[0] ?? 0).name));
    },
    live: async (hand) => {
      await backToList(page, world);
      const value = newValue();
      await relabel(http, pod.name, value);
      hand.start();
      await onScreen(row(pod.name).locator('.chip', { hasText: `${WATCHED_KEY} ${value}` }));
    },
    label: async (hand) => {
      await backToList(page, world);
      const user = new PageHand(page, hand);
      const value = newValue();
      await user.click(row(pod.name).getByRole('checkbox'));
      await user.press('e');
      await page.getByRole('dialog').getByLabel('Key').waitFor();
      await user.type(`${KEY}=${value}`);
      await user.click(page.getByRole('button', { name: 'Relabel 1 object' }));
      await onScreen(row(pod.name).locator('.chip', { hasText: `${KEY} ${value}` }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectLabel(http, pod.name, value);
    },
    owners: async (hand) => {
      await backToList(page, world);
      await openPod(new PageHand(page, hand));
      const tree = drawer.locator('.tree');
      await onScreen(tree.getByText(pod.replicaSet, { exact: true }));
      await onScreen(tree.getByText(pod.deployment, { exact: true }));
    },
    events: async (hand) => {
      await backToList(page, world);
      await openPod(new PageHand(page, hand));
      await onScreen(drawer.getByText(new RegExp(`^(${REASONS.join('|')}) ${pod.name}$`)).first());
    },
  };
}

/** Closes what is open, and shows the list of all pods. */
async function backToList(page: Page, world: World): Promise<void> {
  await page.mouse.move(0, 0);
  if (await page.locator('.drawer').isVisible()) await page.getByTitle('Close (Esc)').click();
  await page.getByLabel('Label selector').fill('');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  const selected = page.getByRole('button', { name: 'selected' });
  if (await selected.isVisible()) await selected.click();
  await showsAll(page, world);
}

async function showsAll(page: Page, { pods }: World): Promise<void> {
  await page.getByText(`${pods.toLocaleString('en')} objects`).waitFor();
  await page.getByText('Live at').waitFor();
}
