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

/** An endpoint with the given answer, and the requests that it received. */
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

describe('The request to STS', () => {
  it('The request is one GET with Winnow’s cluster id and the signed host, and its answer is returned unchanged', async () => {
    const { seen, endpoint } = await serve((_request, response) => response.writeHead(403).end('no'));
    await expect(createAskSts({ endpoint })(request)).resolves.toEqual({ status: 403, body: 'no' });
    const { host, clusterId } = request;
    expect(seen).toEqual([{ method: 'GET', url: '/?Action=GetCallerIdentity', host, clusterId }]);
  });

  it('The request follows no redirect', async () => {
    const { seen, endpoint } = await serve((_request, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    await expect(createAskSts({ endpoint })(request)).resolves.toMatchObject({ status: 307 });
    expect(seen).toHaveLength(1);
  });

  it('The request is retried once, and then given up', async () => {
    const { seen, endpoint } = await serve((_request, response) => response.destroy());
    await expect(createAskSts({ endpoint })(request)).rejects.toThrow();
    expect(seen).toHaveLength(2);
  });

  it('The second answer is used if the first does not come in time', async () => {
    const { seen, endpoint } = await serve((_request, response) => {
      if (seen.length === 2) response.end('yes');
    });
    const ask = createAskSts({ endpoint });
    await expect(ask(request)).resolves.toEqual({ status: 200, body: 'yes' });
  });

  it('The request gives up an answer that arrives too slowly', async () => {
    const { endpoint } = await serve((_request, response) => {
      response.writeHead(200).write('<');
    });
    await expect(createAskSts({ endpoint, timeout: 50 })(request)).rejects.toThrow();
  });

  it('The request reads no more than a small answer', async () => {
    const { endpoint } = await serve((_request, response) => response.end('x'.repeat(16 * 1024 + 1)));
    await expect(createAskSts({ endpoint })(request)).rejects.toThrow('16384 bytes');
  });
});
