/** The certificates and tokens of a local run. */
export { keepFile, readKept } from './kept-file.ts';
export { makeKeyPair } from './key-pair.ts';
export { openTls, type Tls } from './open-tls.ts';
export { readTokenFile } from './read-token-file.ts';
export { TokenUsers } from './token-users.ts';
