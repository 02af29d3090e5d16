/** Protects servers on loopback from requests of web pages. */
export { guarded } from './guarded.ts';
export { type GuardOptions, judgeRequest, type Refusal, type RequestHead } from './judge-request.ts';
export { readAllowedHosts } from './read-allowed-hosts.ts';
export { refusalBody } from './refusal-body.ts';
