import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { forward } from '../typescript/forward.ts';

const [winnow = 'http://127.0.0.1:8080', port = '3000'] = process.argv.slice(2);

// The page asks its own server, which passes the requests on to Winnow: a browser sends them to no other origin.
const hosts: string[] = [];
const pass = forward({ url: winnow, hosts, token: process.env.WINNOW_TOKEN });

const { outputFiles } = await build({
  entryPoints: [
    fileURLToPath(new URL('page.tsx', import.meta.url)),
    fileURLToPath(new URL('page.css', import.meta.url)),
  ],
  outdir: '/',
  bundle: true,
  minify: true,
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"' },
  jsx: 'automatic',
  write: false,
});

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Device fleet</title><link rel="stylesheet" href="/page.css"></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body>
</html>`;
const TYPES = { js: 'text/javascript', css: 'text/css' };

const server = createServer(async (request, response) => {
  if (await pass(request, response)) return;
  const file = outputFiles.find(({ path }) => path === request.url);
  const type = file === undefined ? 'text/html' : TYPES[file.path.endsWith('.js') ? 'js' : 'css'];
  response.setHeader('content-security-policy', "default-src 'self'; frame-ancestors 'none'");
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(file === undefined ? HTML : file.contents);
});
server.listen(Number(port), '127.0.0.1', () => {
  const { port: chosen } = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${chosen}`, `localhost:${chosen}`);
  console.log(`http://127.0.0.1:${chosen}`);
});
