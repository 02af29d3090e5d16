import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { type Entry, entriesIn, flag, map, parseConfig, text, texts } from './entries.ts';

/** The part of a kubeconfig that names a server. Paths are absolute. */
export interface Cluster {
  readonly server: string;
  readonly authorityFile: string | undefined;
  /** In base64, as all data of a kubeconfig. */
  readonly authorityData: string | undefined;
  /** The name that the certificate of the server must have, if it is not the one in the URL. */
  readonly serverName: string | undefined;
  readonly skipsVerification: boolean;
  readonly proxy: string | undefined;
  /** What the kubeconfig says to exec plugins about this cluster. */
  readonly execConfig: unknown;
}

/** How an exec plugin is run. https://kubernetes.io/docs/reference/access-authn-authz/authentication/ */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  readonly interactiveMode: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** The part of a kubeconfig that says how to log in. */
export interface User {
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly certificateData: string | undefined;
  readonly keyFile: string | undefined;
  readonly keyData: string | undefined;
  readonly exec: ExecEntry | undefined;
  /** The headers of requests as another user. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
}

/** The context that a client uses. */
export interface Context {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: Cluster;
  readonly user: User;
}

export interface ContextOptions {
  /** The only file to read. Default: the files in `KUBECONFIG`, else `~/.kube/config`. */
  readonly file?: string | undefined;
  /** The name of the context. Default: the current context. */
  readonly context?: string | undefined;
}

/** An entry, and the folder of its file, from which its paths are counted. */
interface Found {
  readonly entry: Entry;
  readonly folder: string;
}

/** The entries of all files by name. */
interface Merged {
  readonly files: readonly string[];
  readonly clusters: Map<string, Found>;
  readonly users: Map<string, Found>;
  readonly contexts: Map<string, Found>;
  current: string | undefined;
}

/**
 * Reads a context as kubectl does: of several files, the first one that has an entry or a current context decides.
 *
 * @throws {Error} a file or the context does not exist, or an entry is wrong; no error contains a secret
 */
export async function readContext({ file, context }: ContextOptions): Promise<Context> {
  const merged = await merge(file);
  const named = (what: string) => `${what} in ${merged.files.join(', ')}`;
  const name = context ?? merged.current;
  if (name === undefined) throw new Error(named('there is no current context; set the option context'));
  const found = merged.contexts.get(name);
  if (found === undefined) {
    const known = [...merged.contexts.keys()].map((one) => `"${one}"`).join(', ');
    throw new Error(`${named(`there is no context "${name}"`)}; the contexts are: ${known || 'none'}`);
  }
  const where = `the context "${name}"`;
  const [clusterName, userName] = [text(found.entry, 'cluster', where), text(found.entry, 'user', where)];
  const cluster = merged.clusters.get(clusterName ?? '');
  const user = userName === undefined ? { entry: {}, folder: '' } : merged.users.get(userName);
  const missing = (what: string) => new Error(named(`${where} needs the ${what}, which is not`));
  if (cluster === undefined) throw missing(`cluster "${clusterName ?? ''}"`);
  if (user === undefined) throw missing(`user "${userName}"`);
  return {
    name,
    namespace: text(found.entry, 'namespace', where) ?? 'default',
    cluster: readCluster(cluster, `the cluster "${clusterName}"`),
    user: readUser(user, `the user "${userName}"`),
  };
}

async function merge(file: string | undefined): Promise<Merged> {
  const { KUBECONFIG = '' } = process.env;
  const listed = KUBECONFIG.split(delimiter).filter((one) => one !== '');
  const isListed = file === undefined && listed.length > 0;
  const files = isListed ? [...new Set(listed)] : [file ?? join(homedir(), '.kube/config')];
  const merged: Merged = {
    files,
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    current: undefined,
  };
  let isFound = false;
  for (const path of files) {
    const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new Error(`the kubeconfig ${path} cannot be read: ${error.code}`);
    });
    if (content === undefined) continue;
    isFound = true;
    await add(merged, path, content);
  }
  if (isFound) return merged;
  throw new Error(`the kubeconfig ${files.join(', ')} does not exist; set the option file, or KUBECONFIG`);
}

async function add(merged: Merged, path: string, content: string): Promise<void> {
  const config = await parseConfig(content, path);
  const folder = dirname(resolve(path));
  for (const kind of ['cluster', 'user', 'context'] as const) {
    const known = merged[`${kind}s`];
    for (const [name, entry] of entriesIn(config, kind, path)) {
      if (!known.has(name)) known.set(name, { entry, folder });
    }
  }
  merged.current ??= text(config, 'current-context', path);
}

function readCluster({ entry, folder }: Found, where: string): Cluster {
  const server = text(entry, 'server', where);
  if (server === undefined) throw new Error(`${where} has no server`);
  const { extensions } = entry;
  const ofExec = (Array.isArray(extensions) ? extensions : []).find(
    (one) => one?.name === 'client.authentication.k8s.io/exec',
  );
  return {
    server,
    authorityFile: path(entry, 'certificate-authority', { where, folder }),
    authorityData: text(entry, 'certificate-authority-data', where),
    serverName: text(entry, 'tls-server-name', where),
    skipsVerification: flag(entry, 'insecure-skip-tls-verify', where),
    proxy: text(entry, 'proxy-url', where),
    execConfig: ofExec?.extension,
  };
}

function readUser({ entry, folder }: Found, where: string): User {
  const provider = map(entry, 'auth-provider', where);
  if (provider !== undefined) {
    throw new Error(
      `${where} has the auth-provider "${String(provider.name)}", which kubectl does not have any more; use an exec plugin`,
    );
  }
  if (text(entry, 'username', where) !== undefined) {
    throw new Error(`${where} has a password, which Winnow does not accept; use a token or a certificate`);
  }
  const exec = map(entry, 'exec', where);
  return {
    token: text(entry, 'token', where),
    tokenFile: path(entry, 'tokenFile', { where, folder }),
    certificateFile: path(entry, 'client-certificate', { where, folder }),
    certificateData: text(entry, 'client-certificate-data', where),
    keyFile: path(entry, 'client-key', { where, folder }),
    keyData: text(entry, 'client-key-data', where),
    exec: exec && readExec({ entry: exec, folder }, `the exec entry of ${where}`),
    impersonation: readImpersonation(entry, where),
  };
}

function readExec({ entry, folder }: Found, where: string): ExecEntry {
  const command = text(entry, 'command', where);
  if (command === undefined) throw new Error(`${where} has no command`);
  const env = (Array.isArray(entry.env) ? entry.env : []).map((one: Entry | null): [string, string] => [
    text(one ?? {}, 'name', where) ?? '',
    text(one ?? {}, 'value', where) ?? '',
  ]);
  return {
    apiVersion: text(entry, 'apiVersion', where) ?? '',
    // A command with a slash is a path beside the kubeconfig, as for kubectl. Another one is looked up in the PATH.
    command: /[/\\]/.test(command) && !isAbsolute(command) ? resolve(folder, command) : command,
    args: texts(entry, 'args', where),
    env: Object.fromEntries(env),
    installHint: text(entry, 'installHint', where),
    interactiveMode: text(entry, 'interactiveMode', where),
    provideClusterInfo: flag(entry, 'provideClusterInfo', where),
  };
}

function readImpersonation(entry: Entry, where: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const [user, uid] = [text(entry, 'as', where), text(entry, 'as-uid', where)];
  const groups = texts(entry, 'as-groups', where);
  const extra = map(entry, 'as-user-extra', where) ?? {};
  if (user !== undefined) headers['impersonate-user'] = user;
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = groups;
  for (const key of Object.keys(extra)) {
    headers[`impersonate-extra-${encodeURIComponent(key)}`] = texts(extra, key, where);
  }
  return headers;
}

function path(
  entry: Entry,
  name: string,
  { where, folder }: { readonly where: string; readonly folder: string },
): string | undefined {
  const value = text(entry, name, where);
  return value === undefined ? undefined : resolve(folder, value);
}
