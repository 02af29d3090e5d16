/** Watches over a websocket, for clients in a browser: a proxy in front of any HTTP server of the API. */
export { type PlainRequest, type UpgradeOptions, upgradeWatch } from './upgrade-watch.ts';
