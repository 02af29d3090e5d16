import { BlockList, isIP } from 'node:net';
import type { IpBlock } from './objects.ts';

export type IpFamily = 'IPv4' | 'IPv6';

/** As node:net calls them, and how many bits their addresses have. */
const FAMILIES = { IPv4: { type: 'ipv4', bits: 32 }, IPv6: { type: 'ipv6', bits: 128 } } as const;

/** The family of an IP address; nothing where the text is none. */
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

/** Whether a block of addresses has one: in its range, and in none that is left out. */
export function blockHas({ cidr, except }: IpBlock, address: string): boolean {
  return rangeHas(cidr ?? '', address) && !(except ?? []).some((range) => rangeHas(range, address));
}

/** Whether an IPv6 address stands for one of IPv4: `::ffff:10.0.0.1`. No range of either family has it here. */
export function isMappedAddress(address: string): boolean {
  return rangeHas('::ffff:0:0/96', address);
}

/** Whether two texts are one address: `::1` is `0:0:0:0:0:0:0:1`. */
export function isSameAddress(left: string, right: string): boolean {
  const family = familyOf(left);
  return family !== undefined && rangeHas(`${left}/${FAMILIES[family].bits}`, right);
}

/**
 * `10.9.8.0/24` has `10.9.8.7`, and so has `10.9.8.1/24`. What is no range has nothing. `::/0` has no IPv4 address,
 * which to a BlockList is one of IPv6 as well.
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

/** Kubernetes takes `010.0.0.0/8` in fields as old as these, and reads it as decimals. */
function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/\b0+(?=\d)/g, '');
}
