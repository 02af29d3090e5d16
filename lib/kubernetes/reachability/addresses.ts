import { BlockList, isIP } from 'node:net';
import type { IpBlock } from './objects.ts';

export type IpFamily = 'IPv4' | 'IPv6';

/** The names of the families in node:net, and the number of bits of their addresses. */
const FAMILIES = { IPv4: { type: 'ipv4', bits: 32 }, IPv6: { type: 'ipv6', bits: 128 } } as const;

/** Returns the family of an IP address; undefined if the text is not one. */
export function familyOf(address: string): IpFamily | undefined {
  switch (isIP(address)) {
    case 4:
      return 'IPv4';
    case 6:
      return 'IPv6';
    default:
      return undefined;
  }
}

/** Whether a block contains an address: in its range and in none of its exceptions. */
export function blockHas({ cidr, except }: IpBlock, address: string): boolean {
  return rangeHas(cidr ?? '', address) && !(except ?? []).some((range) => rangeHas(range, address));
}

/** Whether an IPv6 address maps an IPv4 address: `::ffff:10.0.0.1`. Here no range of either family contains it. */
export function isMappedAddress(address: string): boolean {
  return rangeHas('::ffff:0:0/96', address);
}

/** Whether two texts are the same address: `::1` is `0:0:0:0:0:0:0:1`. */
export function isSameAddress(left: string, right: string): boolean {
  const family = familyOf(left);
  return family !== undefined && rangeHas(`${left}/${FAMILIES[family].bits}`, right);
}

/**
 * Whether a range contains an address. Both `10.9.8.0/24` and `10.9.8.1/24` contain `10.9.8.7`. An invalid range
 * contains nothing. `::/0` contains no IPv4 address, although a BlockList treats IPv4 addresses as IPv6 too.
 */
function rangeHas(cidr: string, address: string): boolean {
  const [network = '', bits = ''] = withoutLeadingZeros(cidr).split('/');
  const family = familyOf(network);
  if (family === undefined || family !== familyOf(address) || bits === '') return false;
  const range = new BlockList();
  const { type } = FAMILIES[family];
  range.addSubnet(network, Number(bits), type);
  return range.check(address, type);
}

/**
 * Removes leading zeros. In fields as old as these, Kubernetes accepts `010.0.0.0/8` and reads the numbers as
 * decimals.
 */
function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/\b0+(?=\d)/g, '');
}
