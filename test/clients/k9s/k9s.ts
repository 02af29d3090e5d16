import { join } from 'node:path';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { downloadModule } from '../go-module.ts';
import { outcomeOf } from '../outcome-of.ts';
import { Screen } from './screen.ts';
import { STEPS } from './steps.ts';

const MODULE = 'github.com/derailed/k9s';
const VERSION = 'v0.50.18';

/** k9s in a pseudo-terminal. */
export const k9s: Client = {
  name: 'k9s',
  title: `k9s ${VERSION.slice(1)}`,
  install: async (folder) => attemptOn(await buildK9s(folder)),
};

/**
 * Builds k9s from its Go module, with what that asks for itself.
 *
 * @returns the path of the program
 * @throws {Missing} there is no tmux, or no Go.
 */
export async function buildK9s(folder: string): Promise<string> {
  await execute('tmux', ['-V']);
  const source = await downloadModule(`${MODULE}@${VERSION}`, folder);
  const program = join(folder, 'k9s');
  await execute('go', ['build', '-C', source, '-ldflags=-s -w', '-o', program, '.']);
  return program;
}

function attemptOn(program: string): Attempt {
  return async (server, tell) => {
    const { home, kubeconfig } = server;
    const environment = { HOME: home, KUBECONFIG: kubeconfig, TERM: 'xterm-256color' };
    const screen = await Screen.open({ folder: home, command: program, environment });
    try {
      for (const [behaviour, step] of Object.entries(STEPS)) {
        tell(await outcomeOf(behaviour, () => step(screen, server)));
      }
    } finally {
      await screen.close();
    }
  };
}
