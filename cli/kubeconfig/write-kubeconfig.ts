import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ExecEntry } from '../../lib/login/index.ts';

/** No authority issues certificates for loopback, so clients do not verify them there. client-node needs this for HTTP too. */
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|localhost\.localstack\.cloud)([:/]|$)/;

/** Whether a URL names this machine, or LocalStack on it. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(url);

const NAME = 'winnow';

export interface WriteKubeconfigOptions {
  /** The exec entry; absent for a server that requires no login. */
  readonly login?: ExecEntry;
  /** A static token, instead of `login`. */
  readonly token?: string | undefined;
  /** The PEM certificate of the only authority that clients trust for the server. */
  readonly authority?: string | undefined;
  /** Also replaces a kubeconfig that winnow did not write. */
  readonly force?: boolean | undefined;
}

/**
 * Writes a kubeconfig for a server, and returns the URL in it. With a login the URL is HTTPS, because kubectl logs in over
 * HTTPS only. Rejects as {@link refuseForeign} does.
 */
export async function writeKubeconfig(
  file: string,
  url: string,
  { login, token, authority, force = false }: WriteKubeconfigOptions = {},
): Promise<string> {
  if (!force) await refuseForeign(file);
  const server = login === undefined ? url : url.replace(/^http:/, 'https:');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { server, ...trustIn(server, authority) } }],
    users: [{ name: 'local', user: userOf(login, token) }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: 'local', namespace: 'default' } }],
    'current-context': NAME,
  };
  await mkdir(dirname(file), { recursive: true });
  await writePrivately(file, stringify(config));
  return server;
}

function trustIn(server: string, authority: string | undefined) {
  if (authority !== undefined) {
    return { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  }
  return isLoopback(server) ? { 'insecure-skip-tls-verify': true } : {};
}

function userOf(login: ExecEntry | undefined, token: string | undefined) {
  if (token !== undefined) return { token };
  return login === undefined ? {} : { exec: login };
}

/** Sets the mode before it writes, because an existing file keeps its mode. */
async function writePrivately(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  await handle.chmod(0o600);
  await handle.writeFile(text);
}

/** Rejects if the file exists, is not empty, and {@link writeKubeconfig} did not write it. */
export async function refuseForeign(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (text.trim() === '' || isOwn(text)) return;
  throw new Error(
    `winnow did not write the kubeconfig ${file} and does not change it: name another file with --kubeconfig ` +
      '("bin/winnow.js kubeconfig --force" replaces it)',
  );
}

function isOwn(text: string): boolean {
  try {
    const { clusters, contexts } = parse(text) as Record<string, { name: string }[]>;
    const names = [...(clusters ?? []), ...(contexts ?? [])].map(({ name }) => name);
    return names.length === 2 && names.every((name) => name === NAME);
  } catch {
    return false;
  }
}
