import { afterEach, describe, expect, it } from '@jest/globals';
import { isPrivate, postHttps } from '../../../../functions/webhooks/https-transport.ts';
import type { HttpsDestination } from '../../../../lib/server/webhooks/index.ts';
import {
  AUTHORITY,
  type Respond,
  serveWebhook,
  type WebhookServer,
} from '../../../support/webhooks/webhook-server.ts';

const LONG = 30_000;
const servers: WebhookServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(respond: Respond, names?: readonly string[]): Promise<WebhookServer> {
  const server = await serveWebhook(respond, names);
  servers.push(server);
  return server;
}

const destinationOf = (url: string, others: Partial<HttpsDestination> = {}): HttpsDestination => ({
  kind: 'https',
  url: new URL(url),
  certificates: AUTHORITY,
  mayBePrivate: true,
  ...others,
});

const echo: Respond = (response, body) => response.end(`got ${body}`);

describe('a call over HTTPS', () => {
  it('sends the body by POST, names the timeout, and returns the status and text of the answer', async () => {
    const server = await serve((response, body) => response.writeHead(403).end(`got ${body}`));
    const answer = await postHttps(destinationOf(`${server.url}/check?a=b`), '{"x":"ä"}', 2_500);
    expect(answer).toEqual({ status: 403, text: 'got {"x":"ä"}' });
    expect(server.received).toEqual([{ url: '/check?a=b&timeout=3s', body: '{"x":"ä"}' }]);
  });

  it('connects to another address with the name of the URL in its certificate', async () => {
    const server = await serve(echo, ['guard.shop.svc']);
    const connect = { host: '127.0.0.1', port: server.port };
    const destination = destinationOf('https://guard.shop.svc:443/', { connect });
    await expect(postHttps(destination, 'a', LONG)).resolves.toEqual({ status: 200, text: 'got a' });
  });

  it('reaches a server whose URL names an address', async () => {
    const server = await serve(echo);
    const destination = destinationOf(`https://127.0.0.1:${server.port}/`);
    await expect(postHttps(destination, 'a', LONG)).resolves.toMatchObject({ status: 200 });
  });

  it('keeps one connection for several calls', async () => {
    const server = await serve(echo);
    for (const body of ['a', 'b', 'c']) await postHttps(destinationOf(server.url), body, LONG);
    expect(server.connections()).toBe(1);
  });

  it('sends a request again when the server closes a kept connection beneath it', async () => {
    let cut = false;
    const server = await serve((response, body, request) => {
      const isCut = cut;
      cut = false;
      if (isCut) {
        request.socket.destroy();
      } else {
        response.end(body);
      }
    });
    await postHttps(destinationOf(server.url), 'first', LONG);
    cut = true;
    await expect(postHttps(destinationOf(server.url), 'second', LONG)).resolves.toMatchObject({
      text: 'second',
    });
    expect(server.received.map(({ body }) => body)).toEqual(['first', 'second', 'second']);
  });

  it('does not follow a redirect', async () => {
    const target = await serve(echo);
    const server = await serve((response) => response.writeHead(307, { location: target.url }).end());
    await expect(postHttps(destinationOf(server.url), 'a', LONG)).resolves.toEqual({ status: 307, text: '' });
    expect(target.received).toEqual([]);
  });
});

describe('a call that brings no answer', () => {
  const failing = async (destination: HttpsDestination, timeout = LONG) => {
    try {
      await postHttps(destination, '{}', timeout);
    } catch (error) {
      const { message, isTimeout } = error as { message: string; isTimeout: boolean };
      return { message, isTimeout };
    }
    throw new Error('the call succeeded');
  };

  it('says that the time ran out, if the server sends nothing', async () => {
    const server = await serve(() => {});
    const { message, isTimeout } = await failing(destinationOf(`${server.url}/slow`), 200);
    expect(message).toBe(`Post "${server.url}/slow?timeout=1s": context deadline exceeded`);
    expect(isTimeout).toBe(true);
  });

  it('says that the time ran out, if the answer never ends', async () => {
    const server = await serve((response) => response.write('{'));
    await expect(failing(destinationOf(server.url), 200)).resolves.toMatchObject({ isTimeout: true });
  });

  it('names the address that refuses connections', async () => {
    const server = await serve(echo);
    await server.stop();
    servers.splice(0);
    const { message, isTimeout } = await failing(destinationOf(server.url));
    expect(message).toContain(`dial tcp 127.0.0.1:${server.port}: connect: connection refused`);
    expect(isTimeout).toBe(false);
  });

  it('refuses a certificate of an unknown authority', async () => {
    const server = await serve(echo);
    const { message } = await failing(destinationOf(server.url, { certificates: undefined }));
    expect(message).toContain('x509: certificate signed by unknown authority');
  });

  it('refuses a certificate of another name', async () => {
    const server = await serve(echo, ['other.example']);
    const { message } = await failing(destinationOf(server.url));
    expect(message).toContain('x509: certificate is not valid for localhost');
  });

  it('refuses an answer above 3 MiB', async () => {
    const server = await serve((response) => response.end('x'.repeat(3 * 1024 * 1024 + 1)));
    const { message } = await failing(destinationOf(server.url));
    expect(message).toContain('the answer is longer than 3145728 bytes');
  });

  it('refuses a private address that the operator did not permit, and never connects to it', async () => {
    const server = await serve(echo);
    const { message } = await failing(destinationOf(server.url, { mayBePrivate: false }));
    expect(message).toContain('localhost has the private address');
    expect(server.connections()).toBe(0);
  });
});

describe('a private address', () => {
  it.each([
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['::1', '::', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a00:1'],
  ])('%s is private', (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '2600:1f18::1', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPrivate(address)).toBe(false);
  });
});
