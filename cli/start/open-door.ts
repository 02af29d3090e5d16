import { randomBytes } from 'node:crypto';
import { readAuthenticationConfig, readTokenFile, TokenUsers } from '../../infra/local/index.ts';
import type { StartOptions } from './command.ts';

/** How a local run is entered. */
export interface Door {
  readonly tls: boolean;
  /** Undefined where nobody is asked for a token. */
  readonly users: TokenUsers | undefined;
  /** Of issuers whose tokens are taken, too. */
  readonly authenticationConfig?: string;
  readonly serviceAccountTokens: boolean;
  /** The administrator's, made anew with each start. */
  readonly token: string | undefined;
}

const ADMINISTRATOR = { username: 'admin', groups: ['system:masters'] };

/**
 * What the options ask for.
 *
 * @throws {Error} they contradict each other, or a file cannot be read.
 */
export async function openDoor(options: StartOptions): Promise<Door> {
  const { tls, auth, tokenAuthFile, authenticationConfig: file, serviceAccountTokens } = options;
  const { watchesPerUser, requestsPerUser } = options;
  if (!auth) {
    if (tokenAuthFile !== undefined) throw new Error('--token-auth-file is of no use without --auth');
    if (file !== undefined) throw new Error('--authentication-config is of no use without --auth');
    if (serviceAccountTokens) throw new Error('--service-account-tokens is of no use without --auth');
    // Who is asked for no token may do everything, and is not bounded.
    if (watchesPerUser !== undefined) throw new Error('--watches-per-user is of no use without --auth');
    if (requestsPerUser !== undefined) throw new Error('--requests-per-user is of no use without --auth');
    return { tls, serviceAccountTokens, users: undefined, token: undefined };
  }
  const users = tokenAuthFile === undefined ? new TokenUsers() : await readTokenFile(tokenAuthFile);
  const token = randomBytes(32).toString('base64url');
  users.add(token, ADMINISTRATOR);
  // kubectl sends no token in the clear.
  const issuers = file === undefined ? {} : { authenticationConfig: await readAuthenticationConfig(file) };
  return { tls: true, serviceAccountTokens, users, token, ...issuers };
}
