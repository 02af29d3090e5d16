import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { afterEach, describe, expect, it } from '@jest/globals';
import forge from 'node-forge';
import {
  connect,
  OutcomeUnknownError,
  resource,
  UnavailableError,
} from '../../../../lib/client/objects/index.ts';
import { listen } from '../../../support/listen.ts';

const DEVICES = resource('fleet.example/v1', 'devices', { kind: 'Device' });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The error of a create. With a `fetch` that fails at once, the deadline is short. */
async function failedCreate(url: string, given?: typeof fetch): Promise<unknown> {
  const winnow = connect({ url, deadline: given === undefined ? undefined : 20, fetch: given });
  const creating = winnow.objects(DEVICES, { namespace: 'default' }).create({ metadata: { name: 'cam-1' } });
  return creating.then(() => undefined).catch((error: unknown) => error);
}

/** A certificate of no known authority. */
function selfSigned(): { readonly key: string; readonly cert: string } {
  const pem = { type: 'pkcs1', format: 'pem' } as const;
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: pem,
    privateKeyEncoding: pem,
  });
  const privateKey = forge.pki.privateKeyFromPem(keys.privateKey);
  const certificate = forge.pki.createCertificate();
  const name = [{ name: 'commonName', value: 'localhost' }];
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notAfter.setFullYear(certificate.validity.notBefore.getFullYear() + 1);
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { key: keys.privateKey, cert: forge.pki.certificateToPem(certificate) };
}

/** The error of `fetch` for a connection that failed with a code of the system. */
const failing = (code: string, syscall: string) =>
  (async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
  }) as typeof fetch;

describe('A write that was not sent', () => {
  it('A server with an unknown certificate did not get the write', async () => {
    let requests = 0;
    const server = createServer(selfSigned(), () => {
      requests += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as { port: number };
    const error = await failedCreate(`https://127.0.0.1:${port}`);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(String(error)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(requests).toBe(0);
  });

  it('A server without TLS at an https URL did not get the write', async () => {
    let requests = 0;
    const { url, stop } = await listen(
      createHttpServer(() => {
        requests += 1;
      }),
    );
    closing.push(stop);
    expect(await failedCreate(url.replace('http:', 'https:'))).toBeInstanceOf(UnavailableError);
    expect(requests).toBe(0);
  });

  it.each([
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
    ['ETIMEDOUT', 'connect'],
    ['ECONNREFUSED', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
  ])('After %s of %s, the write was not sent', async (code, syscall) => {
    const error = await failedCreate('http://127.0.0.1:1', failing(code, syscall));
    expect(error).toBeInstanceOf(UnavailableError);
  });

  it('After all addresses of a name refused, the write was not sent', async () => {
    const each = Object.assign(new Error('unreachable'), { code: 'ENETUNREACH', syscall: 'connect' });
    const refused = (async () => {
      throw new TypeError('fetch failed', { cause: new AggregateError([each, each]) });
    }) as typeof fetch;
    expect(await failedCreate('http://127.0.0.1:1', refused)).toBeInstanceOf(UnavailableError);
  });

  it.each(['EHOSTUNREACH', 'ECONNRESET', 'ETIMEDOUT'])(
    'After %s of an open connection, the outcome of the write is unknown',
    async (code) => {
      const error = await failedCreate('http://127.0.0.1:1', failing(code, 'read'));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
    },
  );
});
