import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';

/** Certificates are not verified on loopback, where nobody issues them; client-node needs that for HTTP, too. */
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|localhost\.localstack\.cloud)[:/]/;

/**
 * Writes a kubeconfig for a server; without a token for one that asks for none. kubectl sends tokens over HTTPS
 * only, so with one that is what it is told to speak.
 */
export async function writeKubeconfig(file: string, url: string, token?: string): Promise<void> {
  const server = token === undefined ? url : url.replace(/^http:/, 'https:');
  const trust = LOOPBACK.test(server) ? { 'insecure-skip-tls-verify': true } : {};
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'winnow', cluster: { server, ...trust } }],
    users: [{ name: 'local', user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'winnow', context: { cluster: 'winnow', user: 'local', namespace: 'default' } }],
    'current-context': 'winnow',
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, stringify(config), { mode: 0o600 });
}
