import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { forward } from '../../examples/typescript/forward.ts';
import { root } from '../../infra/bundle/index.ts';
import { type Listening, listen } from '../support/listen.ts';

/** The strictest policy that a page with a script of its own server can have. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Test</title></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body>
</html>`;

export interface PageServerOptions {
  /** The page's program, below `test/console/pages`. */
  readonly page: string;
  /** The URL of Winnow. */
  readonly winnow: string;
  readonly token?: string;
}

/** Serves a page's program as one script, and passes the page's requests on to Winnow from the same origin. */
export async function servePage({ page, winnow, token }: PageServerOptions): Promise<Listening> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/console/pages', page)],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  const hosts: string[] = [];
  const pass = forward({ url: winnow, hosts, token });
  const server = createServer(async (request, response) => {
    if (await pass(request, response)) return;
    const isScript = request.url === '/page.js';
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : HTML);
  });
  const listening = await listen(server);
  hosts.push(new URL(listening.url).host);
  return listening;
}
