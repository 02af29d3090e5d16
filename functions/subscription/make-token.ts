import { type AwsCredentials, signToken } from '../../lib/client/aws/index.ts';
import { stsHosts } from '../../lib/login/index.ts';

export interface TokenOptions {
  readonly clusterId: string;
  /** The AWS partition, such as `aws`. */
  readonly partition: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** The time of the signature. */
  readonly date: Date;
}

/**
 * Creates the token that `aws eks get-token --cluster-name <clusterId>` would print.
 *
 * @throws {Error} the partition has no STS in the region.
 */
export async function makeToken({ partition, ...options }: TokenOptions): Promise<string> {
  const [host] = [...stsHosts(partition)].find(([, its]) => its === options.region) ?? [];
  if (host === undefined) throw new Error(`no STS of ${partition} is known in ${options.region}`);
  return signToken({ ...options, host });
}
