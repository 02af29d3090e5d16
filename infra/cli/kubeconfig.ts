import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import type { ExecEntry } from '../../lib/login/index.ts';

/** Certificates are not verified on loopback, where nobody issues them; client-node needs that for HTTP, too. */
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|localhost\.localstack\.cloud)[:/]/;

/**
 * Writes a kubeconfig for a server; without a login for one that asks for none. kubectl logs in over HTTPS only,
 * so with a login that is what it is told to speak.
 */
export async function writeKubeconfig(file: string, url: string, login?: ExecEntry): Promise<void> {
  const server = login === undefined ? url : url.replace(/^http:/, 'https:');
  const trust = LOOPBACK.test(server) ? { 'insecure-skip-tls-verify': true } : {};
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'winnow', cluster: { server, ...trust } }],
    users: [{ name: 'local', user: login === undefined ? {} : { exec: login } }],
    contexts: [{ name: 'winnow', context: { cluster: 'winnow', user: 'local', namespace: 'default' } }],
    'current-context': 'winnow',
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, stringify(config), { mode: 0o600 });
}
