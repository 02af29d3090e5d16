/** A proxy on loopback that logs in for programs of this machine: `winnow proxy`. */
export { answering, askUpstream, type Question, type Upstream } from './ask-upstream.ts';
export { openProxy, type ProxyOptions } from './open-proxy.ts';
export { asksForToken } from './refuse-request.ts';
