/** Servers on loopback: they listen on a port, and refuse requests of web pages. */
export { guarded } from './guarded.ts';
export { type GuardOptions, judgeRequest, type RequestHead } from './judge-request.ts';
export { assertFree, type LoopbackServer, listenOn, openServer } from './listen-on.ts';
export { readAllowedHosts, readAllowedOrigins } from './read-allowed-hosts.ts';
export { type Refusal, refusalBody, refusalOf, sendRefusal } from './refusal.ts';
