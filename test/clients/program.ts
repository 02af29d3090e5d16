import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Attempt, Outcome } from './client.ts';

/** Far more than any of them takes; a program that hangs is ended with the behaviour that it hangs at. */
const PATIENCE = 600_000;

/** How much of a program's own log is shown where it ended before its time. */
const LAST_LINES = 20;

/**
 * An attempt of a program that uses a client library. It finds the service through KUBECONFIG, prints each
 * {@link Outcome} as a line of JSON and ends with 0, whatever the outcomes; its log goes to stderr.
 */
export function attemptProgram(command: readonly [string, ...string[]], directory: string): Attempt {
  return async ({ kubeconfig, home }, tell) => {
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...process.env, HOME: home, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    createInterface(child.stderr).on('line', (line) => log.push(line));
    createInterface(child.stdout).on('line', (line) => tell(JSON.parse(line) as Outcome));
    const hung = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const [code, signal] = await once(child, 'close');
    clearTimeout(hung);
    if (code === 0) return;
    const last = log.slice(-LAST_LINES).join('\n');
    tell({ behaviour: 'goes on to its end', error: `ended with ${code ?? signal}\n${last}` });
  };
}
