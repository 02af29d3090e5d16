export { createAskSts } from './ask-sts.ts';
export { createAuthorize } from './authorize.ts';
export { type Serve, serveBuffered, serveStreamed } from './serve.ts';
export { MAXIMUM_BUFFERED_BYTES } from './to-proxy-result.ts';
