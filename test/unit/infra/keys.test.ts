import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTokenKey } from '../../../functions/token-key.ts';
import { type Keys, startKeys } from '../../../infra/local/stand-ins/index.ts';
import { createJwtVerifier } from '../../../lib/login/oidc/index.ts';
import { systemClock as clock } from '../../../lib/platform/index.ts';

const ISSUER = 'urn:winnow:local';
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/one';
const before = { ...process.env };
let keys: Keys;

beforeAll(async () => {
  keys = await startKeys(undefined);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_KMS: keys.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});

afterAll(async () => {
  process.env = before;
  await keys.stop();
});

it('the public key of a local run verifies the tokens that its private key signs', async () => {
  const { sign, publicKey } = createTokenKey(KEY);
  const now = Math.floor(clock.now() / 1_000);
  const token = await sign({
    iss: ISSUER,
    aud: [ISSUER],
    jti: 'j',
    exp: now + 60,
    sub: 'system:serviceaccount:shop:robot',
    'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'robot', uid: 'u' } },
  });
  const fetchJson = () => Promise.reject(new Error('nobody is asked'));
  const verify = createJwtVerifier({
    issuers: [],
    accounts: { issuer: ISSUER, publicKey },
    fetchJson,
    clock,
  });
  expect((await verify(token)).username).toBe('system:serviceaccount:shop:robot');
});

it('the key of a local run is stored in a file that only the user can read, and damage is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-keys-'));
  const file = join(folder, 'keys', 'tokens.pem');
  await (await startKeys(file)).stop();
  const kept = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await (await startKeys(file)).stop();
  expect(await readFile(file, 'utf8')).toBe(kept);
  await writeFile(file, 'spoiled');
  await expect(startKeys(file)).rejects.toThrow(`${file} is damaged. Delete it`);
  await rm(folder, { recursive: true });
});

it('the local key server refuses requests without its path, and survives invalid requests', async () => {
  const ask = (url: string, body: string, operation = 'Sign') =>
    fetch(url, { method: 'POST', headers: { 'x-amz-target': `TrentService.${operation}` }, body });
  const good = JSON.stringify({ KeyId: KEY, Message: 'AAAA' });
  expect((await ask(keys.endpoint, good)).status).toBe(200);
  const others = [
    ask(new URL('/', keys.endpoint).href, good),
    ask(keys.endpoint, '{'),
    ask(keys.endpoint, 'null', 'GetPublicKey'),
    ask(keys.endpoint, JSON.stringify({ KeyId: KEY, Message: 7 })),
    ask(keys.endpoint, good, 'Decrypt'),
  ];
  for (const other of await Promise.all(others)) expect(other.status).toBe(400);
  expect((await ask(keys.endpoint, good)).status).toBe(200);
});
