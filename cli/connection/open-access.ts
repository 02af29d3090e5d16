import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { type Cluster, KubeConfig, type User } from '@kubernetes/client-node';
import type { Access } from './connection.ts';
import { Fault } from './fault.ts';

/** The time that the AWS CLI has to answer, in ms. */
const CLI_TIMEOUT = 10_000;

interface Variable {
  readonly name: string;
  readonly value: string;
}

const INSTALL = 'Install it (for aws: the AWS CLI), or correct the exec entry in the kubeconfig';

/** The options that name the endpoint of a command. */
export interface AccessOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly url?: string;
}

const OWN_FILE = '.winnow/kubeconfig';
const NOBODY: User = { name: 'none' };

/**
 * Reads how to reach the endpoint that the options name: a URL, or a kubeconfig with its exec entry, certificates and
 * proxy, as kubectl reads it. The certificate of a URL is verified, on loopback too.
 *
 * @throws {Error} the kubeconfig or the context does not exist
 */
export function openAccess(options: AccessOptions): Access {
  const { cluster, user, context } =
    options.url === undefined ? fromKubeconfig(options) : fromUrl(options.url);
  const url = cluster.server.replace(/\/+$/, '');
  // client-node requires this setting for HTTP too, although HTTP has no certificate to verify.
  const trusting = { ...cluster, skipTLSVerify: cluster.skipTLSVerify || url.startsWith('http:') };
  const stranger = { name: user.name };
  // Like kubectl, send no token over plain HTTP.
  const known = url.startsWith('http:') ? stranger : user;
  const configs = { stranger: configOf(trusting, stranger), known: configOf(trusting, known) };
  return {
    url,
    context,
    login: describeLogin(known),
    whoAmI: () => whoAmI(known),
    credentials: async (anonymous) => {
      const applied: RequestOptions = {};
      await configs[anonymous ? 'stranger' : 'known'].applyToHTTPSOptions(applied).catch((error) => {
        throw user.exec === undefined ? error : explainLogin(error, user.exec.command);
      });
      return applied;
    },
  };
}

interface Target {
  readonly cluster: Cluster;
  readonly user: User;
  readonly context?: string;
}

function fromUrl(url: string): Target {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error(`--url ${url} is not a URL that begins with http:// or https://`);
  }
  return {
    cluster: { ...authorityOf(url), name: 'winnow', server: url, skipTLSVerify: false },
    user: NOBODY,
  };
}

/** The authority that the default kubeconfig names for the server of a URL, such as that of "npm start -- --tls". */
function authorityOf(url: string): Pick<Cluster, 'caData' | 'caFile'> {
  const { origin } = new URL(url);
  const cluster = clustersOfDefault().find(
    ({ server }) => URL.canParse(server) && new URL(server).origin === origin,
  );
  const { caData, caFile } = cluster ?? {};
  return { ...(caData && { caData }), ...(caFile && { caFile }) };
}

function clustersOfDefault(): readonly Cluster[] {
  try {
    return loadFiles(presentIn(process.env.KUBECONFIG ?? OWN_FILE)).getClusters();
  } catch {
    // The command does not need this file. Without an authority in the file, it trusts the authorities of
    // this machine.
    return [];
  }
}

function fromKubeconfig({ kubeconfig, context }: AccessOptions): Target {
  const files = kubeconfig ?? process.env.KUBECONFIG ?? OWN_FILE;
  const present = presentIn(files);
  if (present.length === 0) {
    throw new Error(
      `the kubeconfig ${files} does not exist: "npm start" and "bin/winnow.js kubeconfig" write one; with --url the command needs no kubeconfig`,
    );
  }
  const config = loadFiles(present);
  if (context !== undefined) config.setCurrentContext(context);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  if (cluster === null) {
    throw new Error(
      `${files} has no cluster for the context ${config.getCurrentContext() ?? '(none is set)'}`,
    );
  }
  return { cluster, user: user ?? NOBODY, context: config.getCurrentContext() };
}

/** The existing files of a list that is separated by colons. */
function presentIn(files: string): readonly string[] {
  return files.split(':').filter((file) => file !== '' && existsSync(file));
}

function loadFiles(files: readonly string[]): KubeConfig {
  const config = new KubeConfig();
  for (const file of files) {
    const one = new KubeConfig();
    one.loadFromFile(file);
    config.mergeConfig(one, config.getCurrentContext() !== undefined);
  }
  return config;
}

function configOf(cluster: Cluster, user: User): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  return config;
}

function describeLogin({ exec, token, certData, certFile, username }: User): string | undefined {
  if (exec !== undefined && exec !== null) return `a token of ${basename(exec.command)}`;
  if (token !== undefined) return 'the token in the kubeconfig';
  if (certData !== undefined || certFile !== undefined) return 'the certificate in the kubeconfig';
  return username === undefined ? undefined : 'the password in the kubeconfig';
}

/** The error for a command of an exec entry that returned no token. */
function explainLogin(error: unknown, command: string): Fault {
  const { code, message } = error as Error & { code?: string };
  if (code === 'ENOENT') {
    return new Fault({ what: `the login command ${command} was not found`, advice: INSTALL });
  }
  return new Fault({
    what: `the login command ${command} failed: ${message.trim()}`,
    advice: 'Run it by hand. Check that AWS credentials exist and are valid: aws sts get-caller-identity',
    runbook: 'logging-in-does-not-work',
  });
}

/**
 * Asks the AWS CLI for the ARN of its credentials, if the AWS CLI is the login command. For a role's session it is the
 * session's ARN. Returns undefined if the login is another command or the CLI fails.
 */
async function whoAmI({ exec }: User): Promise<string | undefined> {
  if (exec?.command !== 'aws') return undefined;
  const variables = ((exec.env ?? []) as Variable[]).map(({ name, value }) => [name, value]);
  // The token is signed for AWS' own host, but only the emulator itself knows its identities.
  const { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: _, ...env } = {
    ...process.env,
    ...Object.fromEntries(variables),
  };
  const command = ['sts', 'get-caller-identity', '--query', 'Arn', '--output', 'text'];
  try {
    const { stdout } = await promisify(execFile)('aws', command, { env, timeout: CLI_TIMEOUT });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
