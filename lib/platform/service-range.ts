/** The default range of the addresses of Services, as in kubeadm. Nothing routes these addresses. */
export const SERVICE_RANGE = '10.96.0.0/12';

/** An IPv4 network, as numbers: its own address, and the number of its addresses. */
export interface ServiceRange {
  readonly network: number;
  readonly addresses: number;
}

/** The limit that kube-apiserver sets for `--service-cluster-ip-range`. */
const MOST_HOST_BITS = 20;
const LEAST_HOST_BITS = 3;
const CIDR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/**
 * Reads a range such as `10.64.0.0/16`; any address of the network stands for the network.
 *
 * @throws {Error} The text is no range; the message is meant for people.
 */
export function readServiceRange(text: string): ServiceRange {
  const numbers = CIDR.exec(text)?.slice(1).map(Number) ?? [];
  const [first = 256, second = 256, third = 256, fourth = 256, length = 33] = numbers;
  if (Math.max(first, second, third, fourth) > 255 || length > 32) {
    throw new Error(
      `the range of clusterIPs is ${JSON.stringify(text)}: it must be an IPv4 network such as ${SERVICE_RANGE}`,
    );
  }
  const hostBits = 32 - length;
  if (hostBits > MOST_HOST_BITS || hostBits < LEAST_HOST_BITS) {
    throw new Error(
      `the range of clusterIPs is ${text}: it is too ${hostBits > MOST_HOST_BITS ? 'large' : 'small'}; use a network from /${32 - MOST_HOST_BITS} to /${32 - LEAST_HOST_BITS}`,
    );
  }
  const addresses = 2 ** hostBits;
  const address = ((first * 256 + second) * 256 + third) * 256 + fourth;
  return { network: address - (address % addresses), addresses };
}
