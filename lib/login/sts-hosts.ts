/** Where the STS endpoints of a partition are. */
interface PartitionHosts {
  readonly suffix: string;
  readonly regions: readonly string[];
  /** The global endpoint of the partition that has one, and the region that it is signed for. */
  readonly global?: { readonly host: string; readonly region: string };
}

/** The regions are those of the CDK's `region-info`; a test names the one that is missing here. */
const PARTITIONS: Readonly<Record<string, PartitionHosts>> = {
  aws: {
    suffix: 'amazonaws.com',
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
  'aws-cn': { suffix: 'amazonaws.com.cn', regions: ['cn-north-1', 'cn-northwest-1'] },
  'aws-us-gov': { suffix: 'amazonaws.com', regions: ['us-gov-east-1', 'us-gov-west-1'] },
  'aws-eusc': { suffix: 'amazonaws.eu', regions: ['eusc-de-east-1'] },
};

/**
 * The only hosts that a token may send us to, each with the region that its requests are signed for: the
 * regional STS endpoints of one partition, and its global one. A partition that is not known here has none.
 */
export function stsHosts(partition: string): ReadonlyMap<string, string> {
  const found = Object.hasOwn(PARTITIONS, partition) ? PARTITIONS[partition] : undefined;
  if (found === undefined) return new Map();
  const { suffix, regions, global } = found;
  const regional = regions.map((region): [string, string] => [`sts.${region}.${suffix}`, region]);
  return new Map(global === undefined ? regional : [...regional, [global.host, global.region]]);
}
