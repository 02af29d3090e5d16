/** What a local run and its clients trust each other by: certificates, and tokens. */
export { keepFile, readKept } from './kept-file.ts';
export { makeKeyPair } from './key-pair.ts';
export { openTls, type Tls } from './open-tls.ts';
export { readTokenFile } from './read-token-file.ts';
export { TokenUsers } from './token-users.ts';
