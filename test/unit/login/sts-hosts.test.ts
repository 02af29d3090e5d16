import { expect, it } from '@jest/globals';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { stsHosts } from '../../../lib/login/index.ts';

it.each(['aws', 'aws-cn', 'aws-us-gov', 'aws-eusc'])(
  'The partition %s has the STS of every region that the CDK knows',
  (partition) => {
    const regional = [...stsHosts(partition)].filter(([host, region]) =>
      host.startsWith(`sts.${region}.amazonaws.`),
    );
    const known = RegionInfo.regions.filter((one) => one.partition === partition);
    expect(Object.fromEntries(regional)).toEqual(
      Object.fromEntries(known.map(({ name, domainSuffix }) => [`sts.${name}.${domainSuffix}`, name])),
    );
  },
);

it.each([
  ['aws', 'sts-fips.us-east-1.amazonaws.com', 'us-east-1'],
  ['aws', 'sts-fips.us-west-2.amazonaws.com', 'us-west-2'],
  ['aws', 'sts-fips.ca-central-1.amazonaws.com', 'ca-central-1'],
  ['aws', 'sts.us-east-1.api.aws', 'us-east-1'],
  ['aws', 'sts.eu-central-1.api.aws', 'eu-central-1'],
  ['aws', 'sts-fips.us-east-1.api.aws', 'us-east-1'],
  ['aws-us-gov', 'sts.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['aws-us-gov', 'sts.us-gov-west-1.api.aws', 'us-gov-west-1'],
  ['aws-us-gov', 'sts-fips.us-gov-east-1.api.aws', 'us-gov-east-1'],
  ['aws-cn', 'sts.cn-north-1.api.amazonwebservices.com.cn', 'cn-north-1'],
  ['aws-eusc', 'sts.eusc-de-east-1.api.amazonwebservices.eu', 'eusc-de-east-1'],
])('The region %s has the endpoint %s, signed for %s', (partition, host, region) => {
  expect(stsHosts(partition).get(host)).toBe(region);
});

it.each([
  ['aws', 'sts-fips.eu-west-1.amazonaws.com'],
  ['aws', 'sts-fips.eu-west-1.api.aws'],
  ['aws', 'sts-fips.amazonaws.com'],
  ['aws', 'sts.api.aws'],
  ['aws', 'sts.us-gov-west-1.api.aws'],
  ['aws', 'sts.xx-east-1.api.aws'],
  ['aws', 'sts.us-east-1.api.aws.evil.example'],
  ['aws', 'evil.us-east-1.api.aws'],
  ['aws', 'sts.us-east-1.amazonwebservices.com'],
  ['aws-cn', 'sts-fips.cn-north-1.amazonaws.com.cn'],
  ['aws-cn', 'sts.cn-north-1.api.aws'],
  ['aws-us-gov', 'sts.us-east-1.api.aws'],
])('The partition %s has no endpoint %s', (partition, host) => {
  expect(stsHosts(partition).has(host)).toBe(false);
});

it("every endpoint is below a domain that is AWS' own", () => {
  const own =
    /\.(?:amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|api\.aws|api\.amazonwebservices\.(?:com\.cn|eu))$/;
  for (const partition of ['aws', 'aws-cn', 'aws-us-gov', 'aws-eusc']) {
    for (const [host, region] of stsHosts(partition)) {
      expect(host).toMatch(own);
      expect(host).toMatch(/^sts(?:-fips)?\.[a-z0-9-]+\.[a-z.]+$/);
      expect([...stsHosts(partition).values()]).toContain(region);
    }
  }
});

it('only the partition aws has a global endpoint', () => {
  expect(stsHosts('aws').get('sts.amazonaws.com')).toBe('us-east-1');
  expect([...stsHosts('aws-cn').keys()]).toEqual([
    'sts.cn-north-1.amazonaws.com.cn',
    'sts.cn-north-1.api.amazonwebservices.com.cn',
    'sts.cn-northwest-1.amazonaws.com.cn',
    'sts.cn-northwest-1.api.amazonwebservices.com.cn',
  ]);
});

it('An unknown partition has no global endpoint', () => {
  expect(stsHosts('aws-iso').size).toBe(0);
  expect(stsHosts('constructor').size).toBe(0);
});
