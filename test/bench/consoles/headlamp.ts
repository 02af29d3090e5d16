import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { freePort } from '../../clients/background.ts';
import { openPage } from '../../console/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { LAUNCHER } from '../../support/service/run-cli.ts';
import { atExit } from '../at-exit.ts';
import { type BuildOptions, buildHeadlamp, HEADLAMP_VERSION, type HeadlampFiles } from './headlamp-build.ts';
import {
  appOf,
  expectLabel,
  KEY,
  labelOf,
  newValue,
  PLACE,
  podOf,
  relabel,
  WANTED,
  WATCHED_KEY,
} from './objects.ts';
import { find } from './page-eyes.ts';
import { PageHand } from './page-hand.ts';
import type { OpenProgram, Program, World } from './program.ts';
import { REASONS } from './world.ts';

/** The query of Headlamp's search: an expression of JavaScript. */
const QUERY = Object.entries(WANTED)
  .map(([key, value]) => `metadata.labels.${key}=="${value}"`)
  .join('&&');

/** The most objects of a kind that its search shall look at. */
const MOST_ITEMS = '99999';

/** Headlamp's server, and its page in Chromium. */
export async function headlampProgram(options: BuildOptions): Promise<Program> {
  const files = await buildHeadlamp(options);
  return {
    name: `Headlamp ${HEADLAMP_VERSION}`,
    open: async (world) => {
      const served = await serve(files, world);
      const closing = served.children.map((child) => () => end(child));
      const close = async () => {
        for (const step of closing) await step();
      };
      try {
        const opened = await openPage(`${served.url}/c/${served.cluster}/pods`);
        closing.unshift(opened.close);
        opened.page.setDefaultTimeout(world.patience);
        const user = new HeadlampPage(opened.page, served.cluster, world);
        await user.chooseSearchedKind();
        await user.backToList();
        return { tasks: tasksOn(user), close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

interface Served {
  readonly url: string;
  /** The name of the cluster in the page's address. */
  readonly cluster: string;
  readonly children: readonly ChildProcess[];
}

/**
 * Starts Headlamp's server. Its page sends its own origin along, which Winnow refuses, so that a `winnow proxy` that
 * allows the origin stands between them.
 */
async function serve({ server, page }: HeadlampFiles, { http, folder, kubeconfig }: World): Promise<Served> {
  const home = await mkdtemp(join(folder, 'headlamp-'));
  const [port, behind] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const options = ['--url', http.url, '--port', String(behind), '--allowed-origins', url];
  const proxy = spawn(process.execPath, [LAUNCHER, 'proxy', ...options], { stdio: 'ignore' });
  atExit(() => void proxy.kill());
  const given = await readFile(kubeconfig, 'utf8');
  const own = join(home, 'kubeconfig');
  await writeFile(own, given.replace(/server: .*/, `server: http://127.0.0.1:${behind}`));
  const flags = ['-html-static-dir', page, '-port', String(port), '-listen-addr', '127.0.0.1'];
  const headlamp = spawn(server, [...flags, '-kubeconfig', own, '-plugins-dir', join(home, 'plugins')], {
    env: { ...process.env, HOME: home },
    stdio: 'ignore',
  });
  atExit(() => void headlamp.kill());
  await eventually('the proxy answers', () => answers(`http://127.0.0.1:${behind}/version`));
  await eventually('Headlamp answers', () => answers(`${url}/config`));
  const config = (await (await fetch(`${url}/config`)).json()) as { clusters: { name: string }[] };
  return { url, cluster: config.clusters[0]?.name ?? '', children: [headlamp, proxy] };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (child.kill()) await ended;
}

function tasksOn(user: HeadlampPage): OpenProgram['tasks'] {
  const { page, world } = user;
  const podInList = async () => {
    await user.backToList();
    const name = await user.pods().nth(PLACE).innerText();
    return { name, app: appOf(name).app, link: { css: 'table a', text: name } };
  };
  return {
    find: async (hand) => {
      await user.clearQuery();
      await user.backToList();
      const own = new PageHand(page, hand);
      await own.click({ text: 'Clusters' });
      await own.click({ text: 'Advanced Search (Beta)' });
      // By default the search leaves out a kind with 10,000 objects, and it does not keep another limit.
      await own.click({ css: 'button', text: 'Settings' });
      await page.getByLabel('Max items per Resource').waitFor();
      await own.press('Tab');
      await own.type(MOST_ITEMS);
      await own.click({ css: 'button', text: 'Save' });
      await own.click({ css: '.monaco-editor' });
      await own.type(QUERY);
      await find(page, { css: 'a', text: podOf(world.found[0] ?? 0).name });
      await page.getByText(`of ${world.found.length}`).first().waitFor();
    },
    live: async (hand) => {
      const pod = await podInList();
      await new PageHand(page, hand).click(pod.link);
      await find(page, { text: new RegExp(`^${WATCHED_KEY}: `) });
      const value = newValue();
      await relabel(world.http, pod.name, value);
      hand.restart();
      await find(page, { text: `${WATCHED_KEY}: ${value}` });
    },
    label: async (hand) => {
      const own = new PageHand(page, hand);
      const pod = await podInList();
      const value = newValue();
      const before = await labelOf(world.http, pod.name);
      await own.click(pod.link);
      await own.click({ css: 'button[aria-label="Edit"]' });
      await own.doubleClick({ css: '.view-line span > span', text: before });
      await own.type(value);
      await own.click({ css: 'button', text: 'Save & Apply' });
      await find(page, { text: `${KEY}: ${value}` });
      await expectLabel(world.http, pod.name, value);
    },
    owners: async (hand) => {
      const own = new PageHand(page, hand);
      const pod = await podInList();
      await own.click(pod.link);
      await own.click({ css: 'a', text: /^ReplicaSet: / });
      await find(page, { css: 'a', text: `Deployment: ${pod.app}` });
    },
    events: async (hand) => {
      const own = new PageHand(page, hand);
      const pod = await podInList();
      await own.click(pod.link);
      const event = new RegExp(`^(${REASONS.join('|')}) ${pod.name}$`);
      await page.getByText(event).first().waitFor();
      await own.scrollDown({ text: 'Controlled by' });
      await find(page, { text: event });
    },
  };
}

/** Headlamp's page. */
class HeadlampPage {
  readonly page: Page;
  readonly world: World;
  readonly #cluster: string;

  constructor(page: Page, cluster: string, world: World) {
    this.page = page;
    this.#cluster = cluster;
    this.world = world;
  }

  /** The pods of the list, or of what was found. */
  pods(): Locator {
    return this.page.locator('table').getByRole('link', { name: /^web-\d+$/ });
  }

  /** Goes to the list of all pods, within the page. */
  async backToList(): Promise<void> {
    await this.#closePanels();
    await this.#goTo('pods');
    await this.page.getByRole('heading', { name: 'Pods' }).waitFor();
    await this.pods().first().waitFor();
  }

  /** Lets the search look at pods and nothing else, which the page remembers. */
  async chooseSearchedKind(): Promise<void> {
    await this.#goTo('advanced-search');
    await this.page.getByText('status.phase !==').click();
  }

  /** Removes the query of the search, which the page remembers too. */
  async clearQuery(): Promise<void> {
    await this.#closePanels();
    await this.#goTo('advanced-search');
    await this.page.getByRole('button', { name: 'Clear' }).click();
    await this.page.getByText('Examples').waitFor();
  }

  async #closePanels(): Promise<void> {
    const close = this.page.getByRole('button', { name: 'Close' }).last();
    while (await close.isVisible()) await close.click();
  }

  async #goTo(view: string): Promise<void> {
    const path = JSON.stringify(`/c/${this.#cluster}/${view}`);
    await this.page.evaluate(
      `history.pushState({}, '', ${path}); dispatchEvent(new PopStateEvent('popstate'));`,
    );
  }
}
