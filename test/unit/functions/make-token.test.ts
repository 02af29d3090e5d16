import { expect, it } from '@jest/globals';
import { makeToken } from '../../../functions/subscription/index.ts';
import { stsHosts } from '../../../lib/login/index.ts';
import { parseToken } from '../../../lib/login/token.ts';
import { EXAMPLE_CREDENTIALS, eksToken } from '../../support/login/eks-token.ts';

it('makeToken returns the token that aws eks get-token prints and that the login accepts', async () => {
  const date = new Date('2026-11-22T08:00:00Z');
  const credentials = { ...EXAMPLE_CREDENTIALS, sessionToken: 'of/a+role=' };
  const given = { clusterId: 'winnow-1', partition: 'aws', region: 'eu-west-1', credentials, date };
  const token = await makeToken(given);
  expect(token).toBe(await eksToken(given));
  const { host, signedAt } = parseToken(token, stsHosts('aws'));
  expect([host, signedAt]).toEqual(['sts.eu-west-1.amazonaws.com', date.getTime()]);

  const china = { ...given, partition: 'aws-cn', region: 'cn-north-1' };
  const chinese = parseToken(await makeToken(china), stsHosts('aws-cn'));
  expect(chinese.host).toBe('sts.cn-north-1.amazonaws.com.cn');
  await expect(makeToken({ ...china, partition: 'aws' })).rejects.toThrow(
    'no STS of aws is known in cn-north-1',
  );
});
