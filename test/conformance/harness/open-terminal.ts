import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubectlBinary } from './kubectl-binaries.ts';
import { Terminal } from './terminal.ts';

export interface Seat {
  /** The folder in which its home is created. */
  readonly root: string;
  readonly kubeconfig: string;
  readonly binary: KubectlBinary;
}

/** Opens a terminal in `test/` with this `kubectl`. It has its own home, and so its own discovery cache. */
export async function openTerminal({ root, kubeconfig, binary }: Seat): Promise<Terminal> {
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
