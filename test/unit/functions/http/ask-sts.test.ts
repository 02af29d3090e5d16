import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createAskSts } from '../../../../functions/http/ask-sts.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
});

/** An endpoint that answers so, and what it was asked. */
async function serve(listener: RequestListener) {
  const seen: { method?: string; url?: string; host?: string; clusterId: unknown }[] = [];
  server = createServer((request, response) => {
    const { method, url, headers } = request;
    const { host = '', 'x-k8s-aws-id': clusterId } = headers;
    seen.push({ ...(method && { method }), ...(url && { url }), host, clusterId });
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { seen, endpoint: `http://127.0.0.1:${port}` };
}

const request = {
  host: 'sts.eu-west-1.amazonaws.com',
  query: 'Action=GetCallerIdentity',
  clusterId: 'winnow-abc',
};

describe('asking STS', () => {
  it('is one GET with our cluster id and the host that was signed, whose answer is taken as it is', async () => {
    const { seen, endpoint } = await serve((_request, response) => response.writeHead(403).end('no'));
    await expect(createAskSts({ endpoint })(request)).resolves.toEqual({ status: 403, body: 'no' });
    const { host, clusterId } = request;
    expect(seen).toEqual([{ method: 'GET', url: '/?Action=GetCallerIdentity', host, clusterId }]);
  });

  it('follows no redirect', async () => {
    const { seen, endpoint } = await serve((_request, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    await expect(createAskSts({ endpoint })(request)).resolves.toMatchObject({ status: 307 });
    expect(seen).toHaveLength(1);
  });

  it('is tried again once, and then given up', async () => {
    const { seen, endpoint } = await serve((_request, response) => response.destroy());
    await expect(createAskSts({ endpoint })(request)).rejects.toThrow();
    expect(seen).toHaveLength(2);
  });

  it('takes the second answer where the first does not come in time', async () => {
    const { seen, endpoint } = await serve((_request, response) => {
      if (seen.length === 2) response.end('yes');
    });
    const ask = createAskSts({ endpoint });
    await expect(ask(request)).resolves.toEqual({ status: 200, body: 'yes' });
  });

  it('gives up on an answer that trickles', async () => {
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(200).write('<');
    });
    await expect(createAskSts({ endpoint, timeout: 50 })(request)).rejects.toThrow();
  });

  it('reads no more than a small answer', async () => {
    const { endpoint } = await serve((_request, response) => response.end('x'.repeat(16 * 1024 + 1)));
    await expect(createAskSts({ endpoint })(request)).rejects.toThrow('16384 bytes');
  });
});
