import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { fetchJson } from '../../../../functions/http/index.ts';
import type { JwtIssuer } from '../../../../lib/login/index.ts';
import { createJwtVerifier } from '../../../../lib/login/oidc/index.ts';
import { COOLDOWN, FRESH, KEPT } from '../../../../lib/login/oidc/issuer-keys.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { Issuer, type SigningKey, signed, signingKey } from '../../../support/login/issuer.ts';

let issuer: Issuer;
let key: SigningKey;
let other: SigningKey;
let rsa: SigningKey;
let clock: OwnedClock;

beforeAll(async () => {
  issuer = await Issuer.start();
  [key, other, rsa] = await Promise.all([signingKey('one'), signingKey('two'), signingKey('rsa', 'RS256')]);
});

afterAll(() => issuer.stop());

beforeEach(() => {
  clock = new OwnedClock();
  issuer.keys = [key.jwk, rsa.jwk];
  issuer.discovery = {};
  issuer.isDown = false;
  issuer.asked.length = 0;
});

const seconds = () => Math.floor(clock.now() / 1_000);

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: 'winnow',
  sub: 'jane',
  exp: seconds() + 300,
  groups: ['fleet', 'system:masters'],
  ...changes,
});

const verifier = (changes: Partial<JwtIssuer> = {}) =>
  createJwtVerifier({
    issuers: [
      {
        url: issuer.url,
        audiences: ['other', 'winnow'],
        username: { claim: 'sub', prefix: 'oidc:' },
        groups: { claim: 'groups', prefix: '' },
        required: [],
        ...changes,
      },
    ],
    fetchJson,
    clock,
  });

const refusal = (token: string | Promise<string>, changes: Partial<JwtIssuer> = {}) =>
  Promise.resolve(token)
    .then(verifier(changes))
    .catch((error) => error.check ?? error.name);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('A token of an issuer', () => {
  it('A token has its user and its expiry, and no group of the system', async () => {
    const expires = (seconds() + 300) * 1_000;
    const verify = verifier({ uid: 'jti' });
    await expect(verify(await signed(claims({ jti: 'u1' }), key))).resolves.toEqual({
      username: 'oidc:jane',
      uid: 'u1',
      groups: ['fleet'],
      expires,
    });
    await expect(
      verify(await signed(claims({ aud: ['winnow', 'x'], groups: 'one' }), rsa)),
    ).resolves.toMatchObject({
      groups: ['one'],
    });
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it.each<[string, string, () => string | Promise<string>]>([
    ['another issuer', 'issuer', () => signed(claims({ iss: `${issuer.url}/` }), key)],
    ['no issuer', 'issuer', () => signed(claims({ iss: undefined }), key)],
    ['another audience', 'audience', () => signed(claims({ aud: 'winnow2' }), key)],
    ['no audience', 'audience', () => signed(claims({ aud: undefined }), key)],
    ['the past', 'expires', () => signed(claims({ exp: seconds() }), key)],
    ['no end', 'claims', () => signed(claims({ exp: undefined }), key)],
    ['the future', 'claims', () => signed(claims({ nbf: seconds() + 61 }), key)],
    ['nobody', 'claims', () => signed(claims({ sub: undefined }), key)],
    ['a name that breaks lines', 'claims', () => signed(claims({ sub: 'a\nb' }), key)],
    ['a very long name', 'claims', () => signed(claims({ sub: 'x'.repeat(513) }), key)],
    ['groups that are none', 'claims', () => signed(claims({ groups: [7] }), key)],
    ['a key of somebody else', 'signature', () => signed(claims(), { ...other, kid: 'one' })],
    ['a key that is unknown', 'key', () => signed(claims(), other)],
    ['a key that it brings along', 'key', () => signed(claims(), other, { jwk: other.jwk })],
    ['a key that it names the place of', 'key', () => signed(claims(), other, { jku: `${issuer.url}/keys` })],
    ['extensions that nobody knows', 'encoding', () => signed(claims(), key, { crit: ['x'], x: 1 })],
    ['no signature', 'algorithm', () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['a signature by what is public', 'algorithm', () => confused()],
    ['another text', 'encoding', () => 'a.b.c'],
    ['a long text', 'length', () => 'a'.repeat(9_217)],
  ])('of %s is refused: %s', async (_of, check, token) => {
    await expect(refusal(token())).resolves.toBe(check);
  });

  it('A token is accepted a minute before its start', async () => {
    await expect(refusal(signed(claims({ nbf: seconds() + 60 }), key))).resolves.toMatchObject({
      username: 'oidc:jane',
    });
  });

  it.each([
    ['system:admin', { username: { claim: 'sub', prefix: '' } }, 'name'],
    ['tem:admin', { username: { claim: 'sub', prefix: 'sys' } }, 'name'],
    ['arn:aws:iam::111122223333:role/Admin', { username: { claim: 'sub', prefix: '' } }, 'name'],
    ['jane', { required: [{ claim: 'hd', value: 'example.com' }] }, 'claims'],
    ['jane', { required: [{ claim: 'toString', value: 'x' }] }, 'claims'],
  ] as const)('A token of %s is rejected if %j', async (sub, changes, check) => {
    await expect(refusal(signed(claims({ sub }), key), changes)).resolves.toBe(check);
  });

  it('A token names its user by an email address only if the address is verified', async () => {
    const changes = { username: { claim: 'email', prefix: '' } };
    const of = (email_verified?: boolean) => signed(claims({ email: 'a@b.c', email_verified }), key);
    await expect(refusal(of(false), changes)).resolves.toBe('claims');
    await expect(refusal(of(true), changes)).resolves.toMatchObject({ username: 'a@b.c' });
  });
});

/** An HMAC with the text of the public key, which a verifier would accept that trusts the header. */
function confused(): string {
  const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(claims())}`;
  return `${text}.${createHmac('sha256', JSON.stringify(rsa.jwk)).update(text).digest('base64url')}`;
}

describe('the keys of an issuer', () => {
  it('The keys are fetched again for a new key id, and for unknown ids at most twice a minute', async () => {
    const verify = verifier();
    await verify(await signed(claims(), key));
    issuer.keys = [other.jwk];
    const next = await signed(claims(), other);
    await expect(verify(next)).rejects.toThrow('key');
    clock.advance(COOLDOWN);
    await expect(Promise.all([verify(next), verify(next)])).resolves.toHaveLength(2);
    await expect(verify(await signed(claims(), key))).rejects.toThrow('key');
    expect(issuer.asked).toHaveLength(4);
  });

  it('Keys that the issuer removes are refused after ten minutes', async () => {
    const verify = verifier();
    const token = await signed(claims({ exp: seconds() + 7_200 }), key);
    await verify(token);
    issuer.keys = [other.jwk];
    clock.advance(FRESH - 1);
    await verify(token);
    clock.advance(1);
    await expect(verify(token)).rejects.toThrow('key');
  });

  it('The keys stay valid for an hour while the issuer is down, with a fetch at most every five seconds', async () => {
    const verify = verifier();
    const token = await signed(claims({ exp: seconds() + 9_000 }), key);
    await verify(token);
    issuer.isDown = true;
    clock.advance(KEPT - 1);
    await Promise.all([verify(token), verify(token)]);
    await verify(token);
    expect(issuer.asked).toHaveLength(3);
    clock.advance(1);
    await expect(verify(token)).rejects.toThrow(
      `the keys of ${issuer.url} are not available: ${issuer.url}/.well-known/openid-configuration answered 503`,
    );
    issuer.isDown = false;
    clock.advance(5_000);
    await expect(verify(token)).resolves.toMatchObject({ username: 'oidc:jane' });
  });

  it.each([
    ['another issuer', { issuer: 'https://elsewhere' }],
    ['keys in the clear of another host', { jwks_uri: 'http://169.254.169.254/keys' }],
    ['keys of a file', { jwks_uri: 'file:///etc/passwd' }],
    ['no keys', { jwks_uri: undefined }],
  ])('The keys are not taken from a document of %s', async (_of, discovery) => {
    issuer.discovery = discovery;
    await expect(refusal(signed(claims(), key))).resolves.toBe('IssuerUnavailableError');
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
  });
});
