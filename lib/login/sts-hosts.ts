/** The hosts of a partition's STS endpoints. */
interface PartitionHosts {
  /** The suffixes of the endpoints for IPv4, and of those for IPv4 and IPv6 (dual-stack). */
  readonly suffix: string;
  readonly dualStack: string;
  readonly regions: readonly string[];
  /** The regions with FIPS endpoints, by the endpoints' suffix. */
  readonly fips?: Readonly<Record<string, readonly string[]>>;
  /** The partition's global endpoint, if it has one, and the region that requests to it are signed for. */
  readonly global?: { readonly host: string; readonly region: string };
}

/** FIPS endpoints are in the United States and Canada only. */
const NORTH_AMERICA = ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'ca-west-1'];
const GOVERNMENT = ['us-gov-east-1', 'us-gov-west-1'];

/**
 * The STS endpoints by partition. The regions are those of the CDK's `region-info`; a test names missing ones. The
 * other forms are from AWS' documentation; the SDKs and `aws eks get-token` use them. In GovCloud the endpoints for
 * IPv4 are FIPS endpoints themselves.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_dual-stack_endpoint_support.html
 */
const PARTITIONS: Readonly<Record<string, PartitionHosts>> = {
  aws: {
    suffix: 'amazonaws.com',
    dualStack: 'api.aws',
    fips: { 'amazonaws.com': NORTH_AMERICA, 'api.aws': NORTH_AMERICA },
    global: { host: 'sts.amazonaws.com', region: 'us-east-1' },
    // biome-ignore format: one line a continent
    regions: [
      'af-south-1',
      'ap-east-1', 'ap-east-2', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-south-2',
      'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7',
      'ca-central-1', 'ca-west-1', 'mx-central-1', 'sa-east-1', 'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2',
      'eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3',
      'il-central-1', 'me-central-1', 'me-south-1', 'me-west-1',
    ],
  },
  'aws-cn': {
    suffix: 'amazonaws.com.cn',
    dualStack: 'api.amazonwebservices.com.cn',
    regions: ['cn-north-1', 'cn-northwest-1'],
  },
  'aws-us-gov': {
    suffix: 'amazonaws.com',
    dualStack: 'api.aws',
    fips: { 'api.aws': GOVERNMENT },
    regions: GOVERNMENT,
  },
  'aws-eusc': {
    suffix: 'amazonaws.eu',
    dualStack: 'api.amazonwebservices.eu',
    regions: ['eusc-de-east-1'],
  },
};

/**
 * The only hosts to which a token may direct Winnow, each with the region that its requests are signed for. They are
 * the regional STS endpoints of one partition (IPv4, dual-stack and FIPS), and its global one. An unknown partition
 * has none.
 */
export function stsHosts(partition: string): ReadonlyMap<string, string> {
  const found = Object.hasOwn(PARTITIONS, partition) ? PARTITIONS[partition] : undefined;
  if (found === undefined) return new Map();
  const { suffix, dualStack, regions, fips = {}, global } = found;
  const regional = regions.flatMap((region): [string, string][] => [
    [`sts.${region}.${suffix}`, region],
    [`sts.${region}.${dualStack}`, region],
  ]);
  const validated = Object.entries(fips).flatMap(([ending, some]) =>
    some.map((region): [string, string] => [`sts-fips.${region}.${ending}`, region]),
  );
  const worldwide: [string, string][] = global === undefined ? [] : [[global.host, global.region]];
  return new Map([...regional, ...validated, ...worldwide]);
}
