/** A proxy on loopback that logs in for programs of this machine: `winnow proxy`. */
export { type LoopbackProxy, openProxy, type ProxyOptions, type Upstream } from './open-proxy.ts';
