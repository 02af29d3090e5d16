/** The server of the console on loopback: the page, its sessions, and the requests that pass to Winnow. */
export type { Mode } from './judge-call.ts';
export { type Console, type ConsoleOptions, openConsole } from './open-console.ts';
