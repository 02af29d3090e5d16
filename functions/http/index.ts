/** The HTTP side of the functions: login, proxy events and answers, buffered or streamed. */
export { type Admit, type AdmitOptions, createAdmit } from './admit.ts';
export { createAskSts } from './ask-sts.ts';
export { createAuthorize } from './authorize.ts';
export { behindLogin } from './behind-login.ts';
export { fetchJson } from './fetch-json.ts';
export { type Serve, serveBuffered, serveStreamed } from './serve.ts';
export { MAXIMUM_BUFFERED_BYTES } from './to-proxy-result.ts';
