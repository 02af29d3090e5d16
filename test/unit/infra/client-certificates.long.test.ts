import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { certificateUser, openTls, readClientAuthority } from '../../../infra/local/trust/index.ts';
import { type Certified, certify, named } from '../../support/login/certify.ts';

let folder: string;
let authority: Certified;
let server: https.Server;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  authority = certify({ subject: named('authority') });
  const { certificate: cert, key } = await openTls(undefined, Date.now());
  const options = { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  server = https.createServer(options, ({ socket }, response) => {
    response.end(JSON.stringify(certificateUser(socket) ?? null));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

async function userOf(client?: Certified, agent: https.Agent | false = false): Promise<unknown> {
  const request = https.get(url, { ...client, agent, rejectUnauthorized: false });
  const [answer] = await once(request, 'response');
  return json(answer);
}

describe('The user of a client certificate', () => {
  it('The common name is the user, and each organization is a group', async () => {
    const client = certify({ subject: named('alice', 'dev', 'ops'), issuer: authority });
    const id = expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/);
    expect(await userOf(client)).toEqual({
      username: 'alice',
      groups: ['dev', 'ops'],
      extra: { 'authentication.kubernetes.io/credential-id': [id] },
      expires: expect.any(Number),
    });
  });

  it('A connection that resumes a TLS session has the same user', async () => {
    const client = certify({ subject: named('alice'), issuer: authority });
    const agent = new https.Agent({ maxCachedSessions: 10 });
    for (let request = 1; request <= 3; request += 1) {
      expect(await userOf(client, agent)).toMatchObject({ username: 'alice', groups: [] });
    }
    agent.destroy();
  });

  it.each<[string, () => Certified | undefined]>([
    ['no certificate', () => undefined],
    ['a certificate of another authority', () => certify({ subject: named('root', 'system:masters') })],
    [
      'a certificate that another certificate of the authority signed',
      () => {
        const between = certify({ subject: named('between'), issuer: authority });
        return certify({ subject: named('root', 'system:masters'), issuer: between });
      },
    ],
    ['an expired certificate', () => certify({ subject: named('alice'), issuer: authority, days: -1 })],
    [
      "a server's certificate",
      () => certify({ subject: named('alice'), issuer: authority, usage: { serverAuth: true } }),
    ],
    ['a certificate without a common name', () => certify({ subject: named('', 'dev'), issuer: authority })],
  ])('A client with %s has no user', async (_, client) => {
    expect(await userOf(client())).toBeNull();
  });
});

describe('The file of authorities', () => {
  it('A file may hold several certificates and other text', async () => {
    const file = join(folder, 'ca.crt');
    const other = certify({ subject: named('other') });
    await writeFile(file, `# two\n${authority.cert}\ntext\n${other.cert}`);
    expect((await readClientAuthority(file)).match(/BEGIN/g)).toHaveLength(2);
  });

  it.each([
    ['', 'holds no certificate in PEM'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'certificate 1 is damaged'],
  ])('The text %j is refused', async (text, why) => {
    const file = join(folder, 'bad.crt');
    await writeFile(file, text);
    await expect(readClientAuthority(file)).rejects.toThrow(why);
  });
});
