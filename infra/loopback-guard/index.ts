/** Keeps web pages away from servers that listen on loopback. */
export { guarded } from './guarded.ts';
export { type GuardOptions, judgeRequest, type Refusal, type RequestHead } from './judge-request.ts';
export { readAllowedHosts } from './read-allowed-hosts.ts';
export { refusalBody } from './refusal-body.ts';
