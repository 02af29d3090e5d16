import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { createReviewToken, IssuerUnavailableError } from '../../../../lib/login/oidc/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { signed, signingKey } from '../../../support/login/issuer.ts';

const clock = new OwnedClock();
const now = Math.floor(clock.now() / 1_000);
const SELF = 'urn:winnow:one';
const URL = 'https://issuer.example';
const key = await signingKey('one');
const theirs = await signingKey('theirs');
let reachable = true;

const review = createReviewToken({
  issuers: [{ url: URL, audiences: ['winnow'], username: { claim: 'sub', prefix: 'oidc:' }, required: [] }],
  accounts: { issuer: SELF, publicKey: async () => key.jwk },
  fetchJson: async (url) => {
    if (!reachable) throw new Error('a timeout');
    return url.endsWith('/keys') ? { keys: [theirs.jwk] } : { issuer: URL, jwks_uri: `${URL}/keys` };
  },
  clock,
});

const ofAccount = (changes: JWTPayload = {}) =>
  signed(
    {
      iss: SELF,
      aud: [SELF],
      sub: 'system:serviceaccount:shop:robot',
      jti: 'j1',
      exp: now + 600,
      'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'robot', uid: 'u1' } },
      ...changes,
    },
    key,
  );

describe('The review of a token of a service account', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['where none is asked for, that it is for this server', [SELF], [], [SELF]],
    ['which of those that are asked for it names', ['vault', 'b', SELF], ['b', 'c', 'vault'], ['vault', 'b']],
  ])('%s', async (_what, aud, asked, audiences) => {
    await expect(review(await ofAccount({ aud: [...aud] }), asked)).resolves.toMatchObject({
      audiences,
      identity: { username: 'system:serviceaccount:shop:robot', uid: 'u1' },
    });
  });

  it.each<[string, JWTPayload, readonly string[], string]>([
    [
      'for whom it is not',
      { aud: ['vault', 'b'] },
      [],
      `[invalid bearer token, token audiences ["vault" "b"] is invalid for the target audiences ["${SELF}"]]`,
    ],
    ['that it has ended', { exp: now }, [], '[invalid bearer token, service account token has expired]'],
    ['no more than that it is none', { sub: 'system:admin' }, [], 'invalid bearer token'],
    ['nothing of one of another cluster', { iss: 'urn:winnow:two' }, [], 'invalid bearer token'],
  ])('%s', async (_what, changes, asked, error) => {
    expect(await review(await ofAccount(changes), asked)).toEqual({ error });
  });

  it('The review says nothing about a token that another key signed, whatever its expiry is', async () => {
    const [header, , signature] = (await ofAccount()).split('.');
    const [, claims] = (await ofAccount({ exp: now - 60 })).split('.');
    expect(await review([header, claims, signature].join('.'), [])).toEqual({
      error: 'invalid bearer token',
    });
    expect(await review('k8s-aws-v1.abc', [])).toEqual({ error: 'invalid bearer token' });
  });
});

describe('a token of an issuer that is named', () => {
  const ofIssuer = (changes: JWTPayload = {}) =>
    signed({ iss: URL, aud: 'winnow', sub: 'jane', exp: now + 600, ...changes }, theirs);

  it('The token is valid for this server, and for no other', async () => {
    reachable = false;
    await expect(review(await ofIssuer(), [])).rejects.toThrow(IssuerUnavailableError);
    reachable = true;
    clock.advance(10_000);
    const vouched = { identity: { username: 'oidc:jane' }, audiences: [SELF] };
    expect(await review(await ofIssuer(), [])).toMatchObject(vouched);
    expect(await review(await ofIssuer(), ['vault', SELF])).toMatchObject(vouched);
    for (const [changes, asked] of [
      [{}, ['winnow']],
      [{ aud: 'vault' }, []],
      [{ exp: now }, []],
    ] as const) {
      expect(await review(await ofIssuer(changes), asked)).toEqual({ error: 'invalid bearer token' });
    }
  });
});
