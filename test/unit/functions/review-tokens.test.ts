import { expect, it } from '@jest/globals';
import { reviewTokens } from '../../../functions/review-tokens.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { signed, signingKey } from '../../support/login/issuer.ts';

process.env[ENVIRONMENT.clusterId] = 'one';

const key = await signingKey('one');
const claims = {
  iss: 'urn:winnow:one',
  aud: 'vault',
  sub: 'system:serviceaccount:shop:robot',
  jti: 'j1',
  exp: Math.floor(Date.now() / 1_000) + 600,
  'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'robot', uid: 'u1' } },
};
const sign = () => Promise.reject(new Error('nothing is signed'));

it('reviewTokens accepts tokens that the key of the deployment signed', async () => {
  const review = reviewTokens({ sign, publicKey: async () => key.jwk });
  const told = { audiences: ['vault'], identity: { username: claims.sub } };
  expect(await review(await signed(claims, key), ['vault'])).toMatchObject(told);
});

it('reviewTokens requests a retry if the key is not available', async () => {
  const review = reviewTokens({ sign, publicKey: () => Promise.reject(new Error('a timeout')) });
  await expect(review(await signed(claims, key), ['vault'])).rejects.toMatchObject({
    code: 503,
    message: 'the token cannot be checked now',
  });
});
