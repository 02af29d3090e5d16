/** The certificates and tokens of a local run. */
export { certificateUser } from './certificate-user.ts';
export { keepFile, readKept } from './kept-file.ts';
export { makeKeyPair } from './key-pair.ts';
export { openTls, type Tls } from './open-tls.ts';
export { readClientAuthority } from './read-client-authority.ts';
export { readTokenFile } from './read-token-file.ts';
export { TokenUsers } from './token-users.ts';
