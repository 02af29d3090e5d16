/** Servers on loopback: they listen on a port, and refuse requests of web pages. */
export { guarded } from './guarded.ts';
export { type GuardOptions, judgeRequest, type Refusal, type RequestHead } from './judge-request.ts';
export { assertFree, listenOn } from './listen-on.ts';
export { readAllowedHosts, readAllowedOrigins } from './read-allowed-hosts.ts';
export { refusalBody } from './refusal-body.ts';
