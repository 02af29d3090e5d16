import type { Page } from 'playwright-core';
import { openConsoleBefore } from '../../console/console-page.ts';
import { expectLabel, KEY, newValue, PLACE, podOf, relabel, SELECTOR, WATCHED_KEY } from './objects.ts';
import { find } from './page-eyes.ts';
import { PageHand } from './page-hand.ts';
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
  const openPod = (hand: PageHand) => hand.click({ css: '.row a', text: pod.name });
  return {
    find: async (hand) => {
      await backToList(page, world);
      const user = new PageHand(page, hand);
      await user.press('/');
      await user.type(SELECTOR);
      await find(page, { css: '.count', text: new RegExp(`^${found.length.toLocaleString('en')} of`) });
      await find(page, { css: '.row a', text: podOf(found[0] ?? 0).name });
    },
    live: async (hand) => {
      await backToList(page, world);
      const value = newValue();
      await relabel(http, pod.name, value);
      hand.start();
      await find(page, { css: '.row .chip', text: `${WATCHED_KEY} ${value}` });
    },
    label: async (hand) => {
      await backToList(page, world);
      const user = new PageHand(page, hand);
      const value = newValue();
      await user.click({ css: `[aria-label="Select ${pod.name}"]` });
      await user.press('e');
      await find(page, { css: 'dialog .line-key' });
      await user.type(`${KEY}=${value}`);
      await user.click({ css: 'button', text: 'Relabel 1 object' });
      await find(page, { css: '.row .chip', text: `${KEY} ${value}` });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectLabel(http, pod.name, value);
    },
    owners: async (hand) => {
      await backToList(page, world);
      await openPod(new PageHand(page, hand));
      await find(page, { css: '.drawer .tree a', text: pod.replicaSet });
      await find(page, { css: '.drawer .tree a', text: pod.deployment });
    },
    events: async (hand) => {
      await backToList(page, world);
      await openPod(new PageHand(page, hand));
      await find(page, { css: '.drawer td', text: new RegExp(`^(${REASONS.join('|')}) ${pod.name}$`) });
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
