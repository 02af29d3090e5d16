import { join } from 'node:path';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { outcomeOf } from '../outcome-of.ts';
import { Screen } from './screen.ts';
import { STEPS } from './steps.ts';

const MODULE = 'github.com/derailed/k9s';
const VERSION = 'v0.50.18';

/** k9s in a pseudo-terminal, built from its Go module with what that asks for itself. */
export const k9s: Client = {
  name: 'k9s',
  title: `k9s ${VERSION.slice(1)}`,
  install: async (folder) => {
    await execute('tmux', ['-V']);
    const told = await execute('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
      directory: folder,
    });
    const { Dir: source } = JSON.parse(told) as { Dir: string };
    const program = join(folder, 'k9s');
    await execute('go', ['build', '-C', source, '-ldflags=-s -w', '-o', program, '.']);
    return attemptOn(program);
  },
};

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
