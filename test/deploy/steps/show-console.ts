import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeBrowser, openPage } from '../../console/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { LAUNCHER } from '../../support/service/run-cli.ts';
import { linkIn } from '../../support/service/start-cli.ts';
import { NAMESPACE, type Step } from '../trial.ts';

/** The time for which the page may take to show a change, in ms: an emulator's functions start slowly. */
const PATIENCE = 60_000;

/** Opens Explore in Chromium, by the link of `winnow console` and with the login of the kubeconfig. */
export const showConsole: Step = {
  name: 'the console in a browser',
  run: async ({ deployment, options }) => {
    const { kubeconfig, terminal } = deployment;
    const parameters = ['console', '--no-open', '--port', '0', '--kubeconfig', kubeconfig];
    const child = spawn(process.execPath, [LAUNCHER, ...parameters], {
      env: { ...process.env, ...options.target.variables, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
    try {
      const link = await eventually('the console prints a link', () => linkIn(said), PATIENCE);
      const { origin, hash } = new URL(link);
      const { page, problems } = await openPage(
        `${origin}/pods?ns=${NAMESPACE}&q=tier%3Dfrontend,environment%3Dqa${hash}`,
      );
      page.setDefaultTimeout(PATIENCE);
      await page.getByText('1 object', { exact: true }).waitFor();
      await page.getByText('Live at').waitFor();
      await terminal.run('kubectl label pod guestbook-frontend-1 environment=qa --overwrite');
      await page.getByRole('row', { name: /guestbook-frontend-1/ }).waitFor();
      await terminal.run('kubectl label pod guestbook-frontend-1 environment=production --overwrite');
      await page.getByRole('row', { name: /guestbook-frontend-1/ }).waitFor({ state: 'detached' });
      assert.deepEqual(problems, []);
      return 'Explore showed a pod that entered a set and left it';
    } finally {
      await closeBrowser();
      child.kill();
    }
  },
};
