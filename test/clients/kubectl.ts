import { Terminal } from '../conformance/harness/terminal.ts';
import { eventually } from '../support/eventually.ts';
import type { Server } from './client.ts';
import { execute } from './execute.ts';

/** @throws {Missing} kubectl is not installed */
export async function requireKubectl(): Promise<void> {
  await execute('kubectl', ['version', '--client']);
}

/** A user with kubectl on an attempt's service. */
export function kubectlTerminal({ home, kubeconfig }: Server): Terminal {
  return new Terminal({
    directory: home,
    environment: { HOME: home, KUBECONFIG: kubeconfig, PATH: process.env.PATH ?? '' },
  });
}

/**
 * Runs a command that a webhook must refuse. Repeats it while the webhook does not answer: its program may be starting.
 *
 * @returns the error output
 */
export function refusedByWebhook(terminal: Terminal, line: string): Promise<string> {
  return eventually(`a webhook answers ${line}`, async () => {
    const refusal = await terminal.refused(line);
    return refusal.includes('failed calling webhook') ? undefined : refusal;
  });
}
