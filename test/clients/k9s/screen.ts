import { eventually } from '../../support/eventually.ts';
import { execute } from '../execute.ts';

export interface ScreenOptions {
  /** Where its socket is made: a tmux of its own. */
  readonly folder: string;
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

const SIZE = ['-x', '150', '-y', '40'];

/** A program in a pseudo-terminal: what a user types, and sees. */
export class Screen {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** The socket of the tmux of a folder. */
  static socketIn(folder: string): string {
    return `${folder}/tmux`;
  }

  /** @throws {Missing} there is no tmux. */
  static async open({ folder, command, environment }: ScreenOptions): Promise<Screen> {
    const screen = new Screen(Screen.socketIn(folder));
    const variables = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    await screen.#tmux('-f', '/dev/null', 'new-session', '-d', ...SIZE, ...variables, command);
    return screen;
  }

  /** Types a line, and Enter. */
  async enter(line: string): Promise<void> {
    await this.type(line);
    await this.press('Enter');
  }

  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', '--', text);
  }

  /** A key by tmux's name for it: `Escape`, `C-d`. */
  async press(key: string): Promise<void> {
    await this.#tmux('send-keys', key);
  }

  /** Waits until what is seen matches. Rejects with what is seen instead. */
  async shows(...wanted: readonly RegExp[]): Promise<void> {
    let seen = '';
    await eventually('the screen', async () => {
      seen = await this.text();
      return wanted.every((one) => one.test(seen));
    }).catch((error: Error) => {
      throw new Error(`${error.message}: not ${wanted.join(' and ')} but\n${seen}`);
    });
  }

  /** What is seen now, as lines. */
  text(): Promise<string> {
    return this.#tmux('capture-pane', '-p');
  }

  close(): Promise<string> {
    return this.#tmux('kill-server');
  }

  #tmux(...args: readonly string[]): Promise<string> {
    return execute('tmux', ['-S', this.#socket, ...args]);
  }
}
