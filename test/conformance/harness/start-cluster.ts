import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../../cli/kubeconfig/write-kubeconfig.ts';
import type { LocalOptions } from '../../../infra/local/start-local.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { findKubectls, type KubectlBinary } from './kubectl-binaries.ts';
import { openTerminal } from './open-terminal.ts';
import type { Terminal } from './terminal.ts';

/** Winnow, and terminals of its users. */
export interface Cluster {
  readonly service: Service;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  /** The newest of the kubectl binaries. */
  readonly kubectl: KubectlBinary;
  /** A terminal with the newest `kubectl`. */
  readonly terminal: Terminal;
  /** Opens a terminal in `test/` with this `kubectl`. It has its own home, and so its own discovery cache. */
  open(kubectl: KubectlBinary): Promise<Terminal>;
  /** Stops everything. Fails if anything went wrong outside the functions. */
  stop(): Promise<void>;
}

export interface ClusterOptions
  extends Pick<
    LocalOptions,
    | 'authenticationConfig'
    | 'clientAuthority'
    | 'derived'
    | 'login'
    | 'newestSchema'
    | 'placement'
    | 'serviceAccountTokens'
    | 'tls'
    | 'users'
  > {
  /** The token of the users at the terminals. */
  readonly token?: string;
}

/** Starts Winnow on embedded emulators, for one test file. */
export async function startCluster({ token, ...options }: ClusterOptions = {}): Promise<Cluster> {
  const [kubectl] = findKubectls();
  const root = await mkdtemp(join(tmpdir(), 'winnow-conformance-'));
  const service = await startService(options);
  const kubeconfig = join(root, 'kubeconfig');
  const { url, authority } = service.winnow;
  await writeKubeconfig(kubeconfig, url, { authority, token });
  const terminals: Terminal[] = [];
  const open = async (binary: KubectlBinary) => {
    const terminal = await openTerminal({ root, kubeconfig, binary });
    terminals.push(terminal);
    return terminal;
  };
  return {
    service,
    kubeconfig,
    kubectl,
    terminal: await open(kubectl),
    open,
    stop: async () => {
      for (const terminal of terminals) terminal.close();
      await service.stop();
      await rm(root, { recursive: true });
      if (service.problems.length > 0) throw new Error(service.problems.join('\n'));
    },
  };
}
