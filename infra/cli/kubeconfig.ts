import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';

/**
 * Writes a kubeconfig for a server on loopback. It has no login and no TLS: `insecure-skip-tls-verify` is what
 * lets `@kubernetes/client-node` speak plain HTTP; kubectl does without.
 */
export async function writeKubeconfig(file: string, server: string): Promise<void> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'winnow', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'local', user: {} }],
    contexts: [{ name: 'winnow', context: { cluster: 'winnow', user: 'local', namespace: 'default' } }],
    'current-context': 'winnow',
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, stringify(config), { mode: 0o600 });
}
