import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Connection } from '../../../cli/connection/connection.ts';
import { explainFailure } from '../../../cli/connection/explain-failure.ts';
import { openAccess } from '../../../cli/connection/open-access.ts';

const failWith = (code: string) =>
  explainFailure(Object.assign(new Error('…'), { code }), 'https://host:1/v1');

describe('The explanation of a failure', () => {
  it.each([
    ['ECONNREFUSED', 'nothing listens at host:1'],
    ['ENOTFOUND', 'DNS does not know the name in host:1'],
    ['EAI_AGAIN', 'DNS does not know the name in host:1'],
    ['ETIMEDOUT', 'host:1 does not answer'],
    ['ECONNRESET', 'host:1 closed the connection without an answer'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'the certificate of host:1 was issued by an authority that this machine does not trust',
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'the certificate of host:1 was issued by an authority that this machine does not trust',
    ],
    ['CERT_HAS_EXPIRED', 'the certificate of host:1 has expired or is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of host:1 is for another name'],
  ])('%s', (code, what) => {
    const { message, advice } = failWith(code);
    expect(message).toBe(what);
    expect(advice.length).toBeGreaterThan(20);
  });

  it('An error without an explanation of its own keeps the message of Node.js', () => {
    expect(failWith('EOTHER').message).toBe('the request failed: …');
  });

  it('A timeout has an explanation', () => {
    expect(explainFailure(new DOMException('late', 'TimeoutError'), 'http://host').message).toBe(
      'host does not answer',
    );
  });
});

/** The explanation for a server on loopback that is called over `scheme`. */
async function saidOf(server: ReturnType<typeof createTcpServer>, scheme: 'http' | 'https'): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access = openAccess({ url: `${scheme}://127.0.0.1:${port}` });
  const { message } = await new Connection(access, new AbortController().signal).send('GET', '/').then(
    () => new Error('it answered'),
    (error: Error) => error,
  );
  server.close();
  return message.replace(String(port), 'PORT');
}

describe('The explanation of a failure at a real server', () => {
  it('Explains a server that speaks HTTP where HTTPS is requested', async () => {
    expect(await saidOf(createServer(), 'https')).toBe('127.0.0.1:PORT does not speak TLS');
  });

  it('Explains a server that closes the connection', async () => {
    const server = createTcpServer((socket) => socket.destroy());
    expect(await saidOf(server, 'http')).toBe('127.0.0.1:PORT closed the connection without an answer');
  });

  it('Explains a server that is not listening', async () => {
    const access = openAccess({ url: 'http://nowhere.invalid' });
    const sent = new Connection(access, new AbortController().signal).send('GET', '/');
    await expect(sent).rejects.toThrow('DNS does not know the name in nowhere.invalid');
  });
});
