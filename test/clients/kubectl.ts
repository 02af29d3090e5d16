import { Terminal } from '../conformance/harness/terminal.ts';
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
