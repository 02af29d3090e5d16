import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ExecEntry } from '../../lib/login/index.ts';

/**
 * No authority issues certificates for loopback, so clients do not verify certificates of loopback.
 * client-node needs this setting for HTTP too.
 */
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|localhost\.localstack\.cloud)([:/]|$)/;

/** Whether a URL names this machine, or LocalStack on it. */
const isLoopback = (url: string): boolean => LOOPBACK.test(url);

/** The name of the cluster and the context, and of the user, in files of earlier releases. */
const FORMER = { entry: 'winnow', user: 'local' };

export interface WriteKubeconfigOptions {
  /** The name of the cluster, the user and the context. Default: that of a local server on the URL's port. */
  readonly name?: string;
  /** The exec entry; absent for a server that requires no login. */
  readonly login?: ExecEntry;
  /** A static token, instead of `login`. */
  readonly token?: string | undefined;
  /** The PEM certificate of the only authority that clients trust for the server. */
  readonly authority?: string | undefined;
  /** Also replaces a kubeconfig that winnow did not write. */
  readonly force?: boolean | undefined;
}

/** What {@link writeKubeconfig} wrote. */
export interface WrittenKubeconfig {
  /** The URL in the file. */
  readonly server: string;
  readonly context: string;
  /**
   * The server that the file described before; undefined if there was no file, or if it described the same server by
   * the same name.
   */
  readonly replaced: Described | undefined;
}

/** The server that a kubeconfig describes. */
interface Described {
  readonly context: string;
  readonly server: string;
}

/** The name of the context of a local server: `winnow-local-8080` for `http://127.0.0.1:8080`. */
export function localName(url: string): string {
  const { port, protocol } = new URL(url);
  return `winnow-local-${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** A sentence about the kubeconfig that was replaced; undefined if there was no kubeconfig. */
export function replacementNote(file: string, { replaced }: WrittenKubeconfig): string | undefined {
  if (replaced === undefined) return undefined;
  return `Replaced ${file}: it described ${replaced.server} (context ${replaced.context}).`;
}

/**
 * Writes a kubeconfig for a server. With a login the URL in it is HTTPS, because kubectl logs in over HTTPS only. Rejects
 * as {@link refuseForeign} does.
 */
export async function writeKubeconfig(
  file: string,
  url: string,
  { name = localName(url), login, token, authority, force = false }: WriteKubeconfigOptions = {},
): Promise<WrittenKubeconfig> {
  if (!force) await refuseForeign(file);
  const before = describe(await readIfExists(file));
  const server = login === undefined ? url : url.replace(/^http:/, 'https:');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trustIn(server, authority) } }],
    users: [{ name, user: userOf(login, token) }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  };
  await mkdir(dirname(file), { recursive: true });
  await writePrivately(file, stringify(config));
  const isSame = before?.server === server && (before.context === name || before.context === FORMER.entry);
  return { server, context: name, replaced: isSame ? undefined : before };
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
  const text = await readIfExists(file);
  if (text.trim() === '' || isOwn(text)) return;
  throw new Error(
    `winnow did not write the kubeconfig ${file} and does not change it: name another file with --kubeconfig ` +
      '("bin/winnow.js kubeconfig --force" replaces it)',
  );
}

/** The text of a file; empty if the file does not exist. */
async function readIfExists(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

interface Entry {
  readonly name: string;
  readonly cluster?: { readonly server?: string };
}

/** The entries of a kubeconfig; undefined if the text is no kubeconfig. */
function entriesOf(text: string) {
  try {
    const { clusters = [], users = [], contexts = [] } = parse(text) as Record<string, Entry[]>;
    return { clusters, users, contexts };
  } catch {
    return undefined;
  }
}

/** Whether the only cluster, user and context have one name, and the name is Winnow's. */
function isOwn(text: string): boolean {
  const { clusters = [], users = [], contexts = [] } = entriesOf(text) ?? {};
  if (clusters.length !== 1 || users.length !== 1 || contexts.length !== 1) return false;
  const [cluster, user, context] = [clusters[0]?.name, users[0]?.name, contexts[0]?.name];
  if (cluster !== context) return false;
  return cluster === FORMER.entry
    ? user === FORMER.user
    : user === cluster && String(cluster).startsWith('winnow-');
}

function describe(text: string): Described | undefined {
  const { clusters = [], contexts = [] } = entriesOf(text) ?? {};
  const [context, server] = [contexts[0]?.name, clusters[0]?.cluster?.server];
  return context === undefined || server === undefined ? undefined : { context, server };
}
