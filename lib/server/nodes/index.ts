/** Nodes as callers: what they may read and write beside the rights that roles grant. */
export { NodeAuthority, type NodeQuestion } from './node-authority.ts';
export { refuseNodeToken } from './refuse-node-token.ts';
export { restrictedStore } from './restricted-store.ts';
