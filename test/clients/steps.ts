import { Terminal } from '../conformance/harness/terminal.ts';
import type { Attempt, Server } from './client.ts';
import { outcomeOf } from './outcome-of.ts';

/** What a user does at a terminal in `test/clients`, and what has to be so then. Throws where it is not. */
export type Step = (terminal: Terminal, server: Server) => Promise<void>;

/**
 * An attempt of a program on the command line: one step after another, each by the name of what it shows, also
 * after one that failed. `bin` is put before the PATH.
 */
export function attemptSteps(bin: string, steps: Readonly<Record<string, Step>>): Attempt {
  return async (server, tell) => {
    const terminal = new Terminal({
      directory: import.meta.dirname,
      environment: {
        HOME: server.home,
        KUBECONFIG: server.kubeconfig,
        PATH: `${bin}:${process.env.PATH}`,
        TZ: 'UTC',
      },
    });
    try {
      for (const [behaviour, step] of Object.entries(steps)) {
        tell(await outcomeOf(behaviour, () => step(terminal, server)));
      }
    } finally {
      terminal.close();
    }
  };
}
