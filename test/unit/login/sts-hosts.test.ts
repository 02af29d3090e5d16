import { expect, it } from '@jest/globals';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { stsHosts } from '../../../lib/login/index.ts';

it.each(['aws', 'aws-cn', 'aws-us-gov', 'aws-eusc'])(
  '%s has the STS of every region that the CDK knows',
  (partition) => {
    const regional = [...stsHosts(partition)].filter(([host, region]) => host.startsWith(`sts.${region}.`));
    const known = RegionInfo.regions.filter((one) => one.partition === partition);
    expect(Object.fromEntries(regional)).toEqual(
      Object.fromEntries(known.map(({ name, domainSuffix }) => [`sts.${name}.${domainSuffix}`, name])),
    );
  },
);

it('only the partition aws has a global endpoint', () => {
  expect(stsHosts('aws').get('sts.amazonaws.com')).toBe('us-east-1');
  expect([...stsHosts('aws-cn').keys()]).toEqual([
    'sts.cn-north-1.amazonaws.com.cn',
    'sts.cn-northwest-1.amazonaws.com.cn',
  ]);
});

it('a partition that is not known has none', () => {
  expect(stsHosts('aws-iso').size).toBe(0);
  expect(stsHosts('constructor').size).toBe(0);
});
