import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../infra/bundle/index.ts';
import { eventually } from '../support/eventually.ts';
import { startProgram } from '../support/example-languages.ts';
import { closeBrowser, openPage } from './browser.ts';

/** Writes the pictures of README and docs: `npm run pictures`. It shows the sample inventory of `npm start -- --sample`. */

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly dark?: boolean;
  /** Brings the page into the state of the picture. */
  prepare?(page: Page): Promise<void>;
}

const DEVICES = '/devices.fleet.example?ns=*';

const PICTURES: readonly Picture[] = [
  {
    name: 'explore',
    path: `${DEVICES}&q=${encodeURIComponent('connectivity=offline,environment in (production,qa)')}`,
    prepare: async (page) => {
      // The sample changes by itself, so rows enter and leave within seconds.
      await page.locator('.row.leave .chip.leave').first().waitFor({ timeout: 180_000 });
    },
  },
  {
    name: 'pivot',
    path: `${DEVICES}&mode=pivot&pivot=site,environment`,
    dark: true,
    prepare: (page) => page.locator('.pivot table').waitFor(),
  },
  {
    name: 'what-if',
    path: '/pods?ns=shop&q=app%3Dweb,environment%3Dqa',
    prepare: async (page) => {
      await page.locator('.row:not(.titles)').first().waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog');
      await dialog.getByPlaceholder('key').fill('environment');
      await dialog.getByPlaceholder('value').fill('production');
      await dialog.getByText('Service', { exact: false }).first().waitFor();
      await page.waitForTimeout(2_500);
    },
  },
  {
    name: 'object',
    path: '/services?ns=*&open=services:shop/web',
    prepare: async (page) => {
      await page
        .locator('.nodes')
        .getByRole('link', { name: /^web-production-/ })
        .first()
        .waitFor();
    },
  },
];

const folder = join(root, 'docs/images');
await mkdir(folder, { recursive: true });
const program = startProgram(
  [
    process.execPath,
    join(root, 'bin/winnow.js'),
    ...[
      'start',
      '--sample',
      '--port',
      '0',
      '--console-port',
      '0',
      '--kubeconfig',
      join(root, 'dist/pictures-kubeconfig'),
    ],
  ],
  process.env,
);
try {
  const link = await eventually(
    'winnow start prints the link of its console',
    () => /http:\/\/127\.0\.0\.1:\d+\/#code=\S+/.exec(program.lines().join('\n'))?.[0],
  );
  const { origin } = new URL(link);
  const first = await openPage(link);
  await first.page.getByText('What do you want to see?').waitFor();
  const session = await first.page.context().storageState();
  for (const { name, path, dark = false, prepare } of PICTURES) {
    const { page, problems, close } = await openPage(`${origin}${path}`, { dark, session });
    await prepare?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await close();
    if (problems.length > 0) throw new Error(`${name}: ${problems.join('; ')}`);
    console.log(`docs/images/${name}.png`);
  }
  await first.close();
} finally {
  await closeBrowser();
  await program.interrupt();
}
