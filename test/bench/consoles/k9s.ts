import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildK9s, k9s } from '../../clients/k9s/k9s.ts';
import { Screen } from '../../clients/k9s/screen.ts';
import { atExit } from '../at-exit.ts';
import type { Hand } from './hand.ts';
import { isWide, type K9sTitle, rowOf, titleOf } from './k9s-screen.ts';
import { expectLabel, KEY, newValue, PLACE, podOf, relabel, SELECTOR, WATCHED_KEY } from './objects.ts';
import type { OpenProgram, Program, World } from './program.ts';
import { REASONS } from './world.ts';

/** The time between two looks at the screen, in ms. */
const PAUSE = 10;
/** The time after an escape, in ms. */
const SETTLING = 500;
/** The time between two refreshes of k9s, and a little more, in ms: a new list may lose keys before its first one. */
const REFRESH = 2_500;

/** Builds k9s into a folder, where it stays for the next time. */
export async function k9sProgram(folder: string): Promise<Program> {
  await mkdir(folder, { recursive: true });
  const program = await buildK9s(folder);
  return {
    name: k9s.title,
    open: async (world) => {
      const { kubeconfig, folder: home } = world;
      const environment = { HOME: home, KUBECONFIG: kubeconfig, TERM: 'xterm-256color' };
      const command = `${program} --command pods`;
      const forget = atExit(() => void spawnSync('tmux', ['-S', Screen.socketIn(home), 'kill-server']));
      const terminal = await Screen.open({ folder: home, command, environment });
      const user = new Terminal(terminal, world);
      const close = async () => {
        await terminal.close();
        forget();
      };
      try {
        await user.showsAll();
      } catch (error) {
        await close();
        throw error;
      }
      return { tasks: tasksIn(user, world), close };
    },
  };
}

function tasksIn(user: Terminal, world: World): OpenProgram['tasks'] {
  const { http, found } = world;
  const pod = podOf(PLACE);
  return {
    find: async (hand) => {
      await user.backToList();
      await user.press(hand, '/');
      await user.type(hand, SELECTOR);
      await user.press(hand, 'Enter');
      const first = podOf(found[0] ?? 0).name;
      await user.sees((screen) => isList(screen, 'pods', found.length) && rowOf(screen, first) !== undefined);
    },
    live: async (hand) => {
      await user.backToList();
      // The wide columns have the labels.
      await user.press(hand, 'C-w');
      await user.sees((screen) => rowOf(screen, pod.name)?.includes(`${WATCHED_KEY}=`));
      const value = newValue();
      await relabel(http, pod.name, value);
      hand.restart();
      await user.sees((screen) => rowOf(screen, pod.name)?.includes(`${WATCHED_KEY}=${value}`));
    },
    label: async (hand) => {
      await user.backToList();
      const value = newValue();
      await user.select(hand);
      await user.press(hand, 'e');
      await user.sees((screen) => screen.includes(`name: ${pod.name}`));
      await editLabel(user, hand, value);
      // The list does not show the label. It is there again once `kubectl edit` has written.
      await user.sees((screen) => titleOf(screen)?.view === 'pods');
      await expectLabel(http, pod.name, value);
    },
    owners: async (hand) => {
      await user.backToList();
      await user.select(hand);
      await user.press(hand, 'J');
      await user.sees((screen) => titleOf(screen)?.view === 'replicasets' && rowOf(screen, pod.replicaSet));
      await user.press(hand, 'J');
      await user.sees((screen) => titleOf(screen)?.view === 'deployments' && rowOf(screen, pod.deployment));
    },
    events: async (hand) => {
      await user.backToList();
      await user.select(hand);
      await user.press(hand, 'd');
      await user.sees((screen) => REASONS.some((reason) => screen.includes(`${reason} ${pod.name}`)));
    },
  };
}

/** Changes the value of the label in vi, the default editor, and saves. */
async function editLabel(user: Terminal, hand: Hand, value: string): Promise<void> {
  await user.press(hand, '/');
  await user.type(hand, KEY);
  await user.press(hand, 'Enter');
  await user.press(hand, 'W');
  await user.press(hand, 'C');
  await user.type(hand, value);
  await user.press(hand, 'Escape');
  await user.press(hand, 'Z');
  await user.press(hand, 'Z');
}

function isList(screen: string, view: K9sTitle['view'], count: number): boolean {
  const title = titleOf(screen);
  return title?.view === view && title.count === count;
}

/** A user's hand and eyes at the terminal. */
class Terminal {
  readonly #screen: Screen;
  readonly #world: World;

  constructor(screen: Screen, world: World) {
    this.#screen = screen;
    this.#world = world;
  }

  async press(hand: Hand, key: string): Promise<void> {
    hand.note({ key });
    await hand.takes(() => sleep(hand.pace.key));
    await this.#screen.press(key);
  }

  async type(hand: Hand, text: string): Promise<void> {
    hand.note({ text });
    for (const character of text) {
      await hand.takes(() => sleep(hand.pace.key));
      await this.#screen.type(character);
    }
  }

  /** Moves from the first row to that of the tasks' pod. */
  async select(hand: Hand): Promise<void> {
    for (let row = 0; row < PLACE; row += 1) await this.press(hand, 'Down');
  }

  /** Looks at the screen again and again until it is as wanted. */
  async sees(isWanted: (screen: string) => unknown): Promise<void> {
    const end = performance.now() + this.#world.patience;
    for (;;) {
      const screen = await this.#screen.text();
      if (isWanted(screen)) return;
      if (performance.now() > end) throw new Error(`k9s does not show what it should, but\n${screen}`);
      await sleep(PAUSE);
    }
  }

  async showsAll(): Promise<void> {
    await this.sees((screen) => isList(screen, 'pods', this.#world.pods) && rowOf(screen, podOf(0).name));
  }

  /** Goes to the list of all pods, without a filter, with its default columns. */
  async backToList(): Promise<void> {
    await this.#screen.press('Escape');
    // Typed at once, what follows would be read as one key with the escape.
    await sleep(SETTLING);
    if (isWide(await this.#screen.text())) await this.#screen.press('C-w');
    await this.sees((screen) => !isWide(screen));
    await this.#screen.enter(':pods');
    await sleep(REFRESH);
    await this.showsAll();
  }
}
