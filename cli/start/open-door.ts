import { randomBytes } from 'node:crypto';
import {
  readAuthenticationConfig,
  readClientAuthority,
  readTokenFile,
  TokenUsers,
} from '../../infra/local/index.ts';
import type { StartOptions } from './options.ts';

/** The TLS and login settings of a local run. */
export interface Door {
  readonly tls: boolean;
  /** The users by token; undefined if no token is required. */
  readonly users: TokenUsers | undefined;
  /** The issuers whose tokens are accepted too. */
  readonly authenticationConfig?: string;
  /** The authorities of client certificates that are accepted too. */
  readonly clientAuthority?: string;
  readonly serviceAccountTokens: boolean;
  /** The administrator's token, which changes with each start. */
  readonly token: string | undefined;
}

const ADMINISTRATOR = { username: 'admin', groups: ['system:masters'] };

/**
 * Reads the TLS and login settings from the options.
 *
 * @throws {Error} options contradict each other, or a file cannot be read.
 */
export async function openDoor(options: StartOptions): Promise<Door> {
  const { tls, auth, tokenAuthFile, authenticationConfig: file, serviceAccountTokens } = options;
  const { watchesPerUser, requestsPerUser, clientCaFile } = options;
  if (!auth) {
    if (tokenAuthFile !== undefined) throw new Error('--token-auth-file needs --auth');
    if (file !== undefined) throw new Error('--authentication-config needs --auth');
    if (clientCaFile !== undefined) throw new Error('--client-ca-file needs --auth');
    if (serviceAccountTokens) throw new Error('--service-account-tokens needs --auth');
    // Without tokens every caller is an administrator, who has no limits.
    if (watchesPerUser !== undefined) throw new Error('--watches-per-user needs --auth');
    if (requestsPerUser !== undefined) throw new Error('--requests-per-user needs --auth');
    return { tls, serviceAccountTokens, users: undefined, token: undefined };
  }
  const users = tokenAuthFile === undefined ? new TokenUsers() : await readTokenFile(tokenAuthFile);
  const token = randomBytes(32).toString('base64url');
  users.add(token, ADMINISTRATOR);
  // kubectl sends no token over plain HTTP.
  const issuers = file === undefined ? {} : { authenticationConfig: await readAuthenticationConfig(file) };
  const authorities =
    clientCaFile === undefined ? {} : { clientAuthority: await readClientAuthority(clientCaFile) };
  return { tls: true, serviceAccountTokens, users, token, ...issuers, ...authorities };
}
