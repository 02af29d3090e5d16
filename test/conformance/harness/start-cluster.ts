import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../../infra/cli/kubeconfig.ts';
import { type Service, startService } from '../../support/service.ts';
import { findKubectls, type KubectlBinary } from './kubectl-binaries.ts';
import { Terminal } from './terminal.ts';

/** Winnow, and users in front of it. */
export interface Cluster {
  readonly service: Service;
  /** The newest kubectl there is. */
  readonly kubectl: KubectlBinary;
  /** Whose `kubectl` is the newest. */
  readonly terminal: Terminal;
  /** One whose `kubectl` is that binary, with a home and so a discovery cache of its own. Starts in `test/`. */
  open(kubectl: KubectlBinary): Promise<Terminal>;
  /** Fails if anything went wrong around the functions. */
  stop(): Promise<void>;
}

/** Starts Winnow on embedded emulators, for one test file. */
export async function startCluster(): Promise<Cluster> {
  const [kubectl] = findKubectls();
  const root = await mkdtemp(join(tmpdir(), 'winnow-conformance-'));
  const service = await startService();
  const kubeconfig = join(root, 'kubeconfig');
  await writeKubeconfig(kubeconfig, service.winnow.url);
  const terminals: Terminal[] = [];
  const open = async (binary: KubectlBinary) => {
    const terminal = await openTerminal({ root, kubeconfig, binary });
    terminals.push(terminal);
    return terminal;
  };
  return {
    service,
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

interface Seat {
  readonly root: string;
  readonly kubeconfig: string;
  readonly binary: KubectlBinary;
}

async function openTerminal({ root, kubeconfig, binary }: Seat): Promise<Terminal> {
  const home = join(root, binary.version);
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  // Not a link: a kubectl may be a dispatcher that looks at its own path.
  await writeFile(join(bin, 'kubectl'), `#!/bin/sh\nexec "${binary.path}" "$@"\n`);
  await chmod(join(bin, 'kubectl'), 0o755);
  return new Terminal({
    directory: join(import.meta.dirname, '../..'),
    environment: { HOME: home, KUBECONFIG: kubeconfig, PATH: `${bin}:${process.env.PATH}`, TZ: 'UTC' },
  });
}
