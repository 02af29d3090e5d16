import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundlePage } from '../../../../infra/bundle/index.ts';
import {
  openTestConsole,
  serveApi,
  TEST_PAGE,
  type TestConsole,
} from '../../../support/console/open-console.ts';
import { openRequest, sendRaw } from '../../../support/raw-request.ts';

const HTML = { accept: 'text/html,*/*;q=0.8' };

describe('The bundle of a page', () => {
  it('The bundle has the files that the HTML names and what they import, under names with a hash', async () => {
    const { html, files } = await bundlePage(TEST_PAGE);
    const names = [...files.keys()].map((path) => path.replace(/-[A-Z0-9]{8}\./, '-HASH.')).sort();
    expect(names).toEqual([
      '/font-HASH.woff2',
      '/icon-HASH.svg',

      '/late-HASH.js',
      '/main-HASH.js',
      '/page-HASH.css',
    ]);
    const text = Buffer.from(html.body).toString();
    const named = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name = '']) => name);
    expect(named.filter((name) => files.has(name)).length).toBe(3);
    expect(named.filter((name) => !files.has(name))).toEqual(['https://example.com/main.js', '/pods']);
    const types = new Set([...files.values()].map(({ type }) => type.split(';')[0]));
    expect([...types].sort()).toEqual(['font/woff2', 'image/svg+xml', 'text/css', 'text/javascript']);
  });

  it('The bundle has no eval and no inline style or script, which the policy of the console refuses', async () => {
    const { html, files } = await bundlePage(TEST_PAGE);
    const texts = [html, ...files.values()].map(({ body }) => Buffer.from(body).toString('latin1'));
    expect(texts.join('\n')).not.toMatch(/\beval\(|new Function\(|<style|<script>|style="/);
  });

  it.each([
    [
      'a file that does not exist',
      '<script src="nosuch.js"></script>',
      /names nosuch\.js, which does not exist/,
    ],
    ['code with a fault', '<script src="main.js"></script>', /main\.ts:1:\d+: ERROR: /],
  ])('A page with %s is refused with a message that names the file', async (_, html, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'winnow-page-'));
    await writeFile(join(folder, 'index.html'), html);
    await writeFile(join(folder, 'main.ts'), 'const = 1;');
    await expect(bundlePage(folder)).rejects.toThrow(message);
    await rm(folder, { recursive: true });
  });
});

describe('The page of the console', () => {
  let console: TestConsole;
  let requests = 0;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const api = await serveApi((_, response) => {
      requests += 1;
      response.end('{}');
    });
    console = await openTestConsole(api.url);
    stop = async () => {
      await console.stop();
      await api.stop();
    };
  });

  afterAll(() => stop());

  it('Every path outside the API is the page, without a session and with the policy, and is never stored', async () => {
    const before = requests;
    for (const path of ['/', '/pods?ns=*&q=tier%3Dfrontend', '/deployments.apps', '/openapi/v2', '/apixx']) {
      const { status, headers, text } = await sendRaw(console.url, path, { headers: HTML });
      expect([status, headers['content-type'], text.slice(0, 15)]).toEqual([
        200,
        'text/html; charset=utf-8',
        '<!doctype html>',
      ]);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(requests).toBe(before);
  });

  it('The files of the page have a type and a lasting name, and are compressed for clients that accept gzip', async () => {
    const { text: html } = await sendRaw(console.url, '/', { headers: HTML });
    const [, style = ''] = /href="(\/page-[^"]+)"/.exec(html) ?? [];
    const plain = await sendRaw(console.url, style, { headers: { accept: 'text/css' } });
    expect([plain.status, plain.headers['content-type'], plain.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'private, max-age=31536000, immutable',
    ]);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const answer = await openRequest(console.url, '/', { headers: { ...HTML, 'accept-encoding': 'gzip' } });
    const chunks: Buffer[] = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    await once(answer, 'end');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(String(gunzipSync(Buffer.concat(chunks)))).toBe(html);
  });

  it('A HEAD has the headers of a GET', async () => {
    const { status, headers, text } = await sendRaw(console.url, '/', { method: 'HEAD', headers: HTML });
    expect([status, text, headers['content-type']]).toEqual([200, '', 'text/html; charset=utf-8']);
  });

  it.each(['/main.js', '/favicon.ico', '/index.html'])('The unknown file %s is a 404', async (path) => {
    const { status, text } = await sendRaw(console.url, path, { headers: { accept: '*/*' } });
    expect([status, JSON.parse(text)]).toMatchObject([404, { kind: 'Status', reason: 'NotFound' }]);
  });

  it.each(['POST', 'PUT', 'DELETE'])('The page has no %s', async (method) => {
    expect((await sendRaw(console.url, '/pods', { method })).status).toBe(405);
  });

  it('A link of another site may lead to the page, but another host and another origin are refused', async () => {
    const from = (headers: Record<string, string>) =>
      sendRaw(console.url, '/', { headers: { ...HTML, ...headers } });
    expect((await from({ 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    expect((await from({ host: 'evil.example' })).status).toBe(421);
    expect((await from({ origin: 'http://evil.example' })).status).toBe(403);
  });

  it('A page that cannot be built is a plain text with the reason, and is built again for the next request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'winnow-page-'));
    const broken = await openTestConsole(console.url, { folder });
    const get = () => sendRaw(broken.url, '/', { headers: HTML });
    const { status, headers, text } = await get();
    expect([status, headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^The console's page cannot be built: ENOENT: .*index\.html'\n$/);
    await writeFile(join(folder, 'index.html'), '<title>mended</title>');
    expect(await get()).toMatchObject({ status: 200, text: '<title>mended</title>' });
    await broken.stop();
    await rm(folder, { recursive: true });
  });
});
