import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ExecEntry } from '../../lib/login/index.ts';

/** Certificates are not verified on loopback, where nobody issues them; client-node needs that for HTTP, too. */
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|localhost\.localstack\.cloud)([:/]|$)/;

export const isLoopback = (url: string): boolean => LOOPBACK.test(url);

const NAME = 'winnow';

export interface WriteKubeconfigOptions {
  /** Without it for a server that asks for none. */
  readonly login?: ExecEntry;
  /** A token that is sent as it is, instead of a login's. */
  readonly token?: string | undefined;
  /** Whose certificate the server shows, in PEM: nothing else is trusted then. */
  readonly authority?: string | undefined;
  /** Replaces a kubeconfig of somebody else's. */
  readonly force?: boolean | undefined;
}

/**
 * Writes a kubeconfig for a server. kubectl logs in over HTTPS only, so with a login that is what it is told to
 * speak. Gives the URL that it wrote. Rejects, as {@link refuseForeign} does, where the file is somebody else's.
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

/** A file that is there keeps its mode when it is written: it is this user's alone before anything is in it. */
async function writePrivately(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  await handle.chmod(0o600);
  await handle.writeFile(text);
}

/** Rejects where there is a file with anything in it that {@link writeKubeconfig} did not write. */
export async function refuseForeign(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (text.trim() === '' || isOwn(text)) return;
  throw new Error(
    `${file} is not a kubeconfig that winnow wrote, and stays as it is: name another file with --kubeconfig ` +
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
