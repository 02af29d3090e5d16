import { readFile } from 'node:fs/promises';
import { type ConnectOptions, connect, type TokenSource, type Winnow } from '../objects/index.ts';
import { ExecLogin } from './exec-login.ts';
import { type Cluster, type ContextOptions, readContext, type User } from './kubeconfig.ts';
import { createFetch, type Identity } from './node-fetch.ts';

export interface KubeconfigOptions extends ContextOptions {
  /** Accepts `insecure-skip-tls-verify: true` of the cluster. Then anyone on the way can read the token. */
  readonly insecure?: boolean | undefined;
}

/** The options of `connect` that a context of a kubeconfig means. */
export interface KubeconfigAccess {
  readonly url: string;
  readonly token: TokenSource | undefined;
  /** Trusts the authority of the cluster, shows the certificate of the user, and asks as the impersonated user. */
  readonly fetch: typeof fetch;
  readonly context: string;
  /** The namespace of the context; `default` if it has none. */
  readonly namespace: string;
}

/** A connection that a kubeconfig describes. */
export type KubeconfigWinnow = Winnow & Pick<KubeconfigAccess, 'context' | 'namespace'>;

/**
 * Connects to the Winnow that a context of a kubeconfig names, without a request. An exec plugin runs at the first one.
 *
 * @throws {Error} the kubeconfig or the context does not exist, or it has what this client does not accept
 */
export async function connectKubeconfig(
  options: KubeconfigOptions & Pick<ConnectOptions, 'deadline' | 'manager'> = {},
): Promise<KubeconfigWinnow> {
  const { context, namespace, ...access } = await readKubeconfig(options);
  const { deadline, manager } = options;
  return Object.assign(connect({ ...access, deadline, manager }), { context, namespace });
}

/**
 * Reads how to reach the Winnow that a context of a kubeconfig names. A server that passes requests on needs it.
 *
 * @throws {Error} as {@link connectKubeconfig}
 */
export async function readKubeconfig(options: KubeconfigOptions = {}): Promise<KubeconfigAccess> {
  const { name: context, namespace, cluster, user } = await readContext(options);
  const isSecure = /^https:/i.test(cluster.server);
  refuse(cluster, `the cluster of the context "${context}"`, isSecure && options.insecure !== true);
  const exec =
    user.token === undefined && user.exec !== undefined ? new ExecLogin(user.exec, cluster) : undefined;
  const identity = async (): Promise<Identity> => {
    const { certificate, key } = (await exec?.credential()) ?? {};
    return {
      ...(await trustIn(cluster)),
      ...(certificate ? { cert: certificate, key } : await certificateOf(user)),
    };
  };
  // A wrong file is an error now, not of the first request.
  if (isSecure) await Promise.all([trustIn(cluster), certificateOf(user)]);
  return {
    url: cluster.server.replace(/\/+$/, ''),
    token: exec === undefined ? tokenOf(user) : tokenFrom(exec),
    fetch: createFetch({
      identity: isSecure ? identity : async () => ({}),
      headers: user.impersonation,
      // A credential without a token is only in the certificate of the connection.
      answered: (status) => {
        if (status === 401) exec?.forget(({ token }) => token === undefined);
      },
    }),
    context,
    namespace,
  };
}

function refuse({ proxy, skipsVerification, ...cluster }: Cluster, where: string, isStrict: boolean): void {
  if (proxy !== undefined) {
    throw new Error(
      `${where} has a proxy-url, which this client does not support; connect() takes another fetch`,
    );
  }
  if (!skipsVerification || !isStrict) return;
  throw new Error(
    cluster.authorityData === undefined && cluster.authorityFile === undefined
      ? `${where} has insecure-skip-tls-verify: set certificate-authority, or the option insecure`
      : `${where} has insecure-skip-tls-verify and a certificate-authority: remove one of them`,
  );
}

/** The token of an exec plugin, which runs again after a 401. */
function tokenFrom(exec: ExecLogin): TokenSource {
  return async (refused) => {
    if (refused !== undefined) exec.forget(({ token }) => token === refused);
    return (await exec.credential()).token;
  };
}

/** The token of the file, which is read for each request; or the token in the kubeconfig while there is no such file. */
function tokenOf({ token, tokenFile }: User): TokenSource | undefined {
  if (tokenFile === undefined) return token === undefined ? undefined : () => token;
  return async () => {
    let why = 'is empty';
    try {
      const found = (await readFile(tokenFile, 'utf8')).trim();
      // A rotation may truncate the file first. Without a token, the request would be anonymous.
      if (found !== '') return found;
    } catch (error) {
      why = `cannot be read: ${(error as NodeJS.ErrnoException).code}`;
    }
    if (token !== undefined) return token;
    throw new Error(`the tokenFile ${tokenFile} ${why}`);
  };
}

async function trustIn(cluster: Cluster): Promise<Identity> {
  const { authorityData, authorityFile, serverName: servername, skipsVerification } = cluster;
  const ca = await pem(authorityData, authorityFile, 'certificate-authority');
  return {
    ...(ca !== undefined && { ca }),
    ...(servername !== undefined && { servername }),
    ...(skipsVerification && { rejectUnauthorized: false }),
  };
}

async function certificateOf(user: User): Promise<Identity> {
  const cert = await pem(user.certificateData, user.certificateFile, 'client-certificate');
  const key = await pem(user.keyData, user.keyFile, 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('the user has a client-certificate without a client-key, or the reverse');
  }
  return cert === undefined ? {} : { cert, key };
}

/** PEM from the data of a kubeconfig, or else from a file, which may change. */
async function pem(
  data: string | undefined,
  file: string | undefined,
  name: string,
): Promise<string | undefined> {
  if (data === undefined && file === undefined) return undefined;
  const content =
    data === undefined ? await readPem(file ?? '', name) : Buffer.from(data, 'base64').toString();
  if (content.includes('-----BEGIN ')) return content;
  throw new Error(`${data === undefined ? `the ${name} ${file}` : `${name}-data`} is not PEM`);
}

async function readPem(file: string, name: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the ${name} ${file} cannot be read: ${error.code}`);
  });
}
