import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import {
  createJwtVerifier,
  IssuerUnavailableError,
  KeysGoneError,
} from '../../../../lib/login/oidc/index.ts';
import { FRESH, KEPT } from '../../../../lib/login/oidc/issuer-keys.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { signed, signingKey } from '../../../support/login/issuer.ts';

const clock = new OwnedClock();
const now = Math.floor(clock.now() / 1_000);
const ISSUER = 'urn:winnow:one';
const key = await signingKey('one');
const account = { name: 'robot', uid: 'u1' };

const verify = createJwtVerifier({
  issuers: [],
  accounts: { issuer: ISSUER, publicKey: async () => key.jwk },
  fetchJson: () => Promise.reject(new Error('nobody is asked')),
  clock,
});

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: ISSUER,
  aud: [ISSUER],
  sub: 'system:serviceaccount:shop:robot',
  jti: 'j1',
  exp: now + 600,
  'kubernetes.io': { namespace: 'shop', serviceaccount: account },
  ...changes,
});

describe('a token of a service account', () => {
  it('A token names its account, and the objects that it depends on', async () => {
    const node = { name: 'n1', uid: 'u3' };
    const said = { namespace: 'shop', serviceaccount: account, pod: { name: 'web', uid: 'u2' }, node };
    await expect(verify(await signed(claims({ 'kubernetes.io': said }), key))).resolves.toEqual({
      username: 'system:serviceaccount:shop:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
      extra: {
        'authentication.kubernetes.io/credential-id': ['JTI=j1'],
        'authentication.kubernetes.io/pod-name': ['web'],
        'authentication.kubernetes.io/pod-uid': ['u2'],
        'authentication.kubernetes.io/node-name': ['n1'],
        'authentication.kubernetes.io/node-uid': ['u3'],
      },
      expires: (now + 600) * 1_000,
      bound: [
        { resource: 'serviceaccounts', namespace: 'shop', name: 'robot', uid: 'u1' },
        { resource: 'pods', namespace: 'shop', name: 'web', uid: 'u2' },
        { resource: 'nodes', namespace: '', name: 'n1', uid: 'u3' },
      ],
    });
  });

  it.each<[string, string, JWTPayload]>([
    ['for somebody else', 'audience', { aud: 'vault' }],
    ['of another cluster', 'issuer', { iss: 'urn:winnow:two' }],
    ['of another account than it says', 'claims', { sub: 'system:serviceaccount:shop:admin' }],
    ['of the system', 'claims', { sub: 'system:admin' }],
    ['without an account', 'claims', { 'kubernetes.io': undefined }],
    [
      'without a uid',
      'claims',
      { 'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'robot' } } },
    ],
    ['that has ended', 'expires', { exp: now }],
  ])('%s is refused: %s', async (_which, check, changes) => {
    await expect(verify(await signed(claims(changes), key))).rejects.toMatchObject({ check });
  });

  it('A token that another key signed is refused', async () => {
    await expect(verify(await signed(claims(), await signingKey('one')))).rejects.toMatchObject({
      check: 'signature',
    });
  });
});

describe('the key of service accounts', () => {
  const ages = async (...failures: readonly Error[]) => {
    const time = new OwnedClock(clock.now());
    let failure: Error | undefined;
    const asked = createJwtVerifier({
      issuers: [],
      accounts: {
        issuer: ISSUER,
        publicKey: () => (failure ? Promise.reject(failure) : Promise.resolve(key.jwk)),
      },
      fetchJson: () => Promise.reject(new Error('nobody is asked')),
      clock: time,
    });
    const token = await signed(claims({ exp: now + 86_400 }), key);
    await asked(token);
    const answers: unknown[] = [];
    for (failure of failures) {
      time.advance(FRESH);
      answers.push(
        await asked(token).then(
          ({ username }) => username,
          (error: unknown) => error,
        ),
      );
    }
    return { answers, time, asked: () => asked(token) };
  };

  it('A disabled or deleted key is no longer valid when it is requested again', async () => {
    const { answers } = await ages(new KeysGoneError('DisabledException'));
    expect(answers).toEqual([expect.objectContaining({ check: 'key' })]);
  });

  it('A key that is temporarily unavailable stays valid for a while', async () => {
    const { answers, time, asked } = await ages(new Error('a timeout'));
    expect(answers).toEqual(['system:serviceaccount:shop:robot']);
    time.advance(KEPT);
    await expect(asked()).rejects.toThrow(IssuerUnavailableError);
  });
});
