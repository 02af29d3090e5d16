import { isIPv4, isIPv6 } from 'node:net';
import type { Pod, Service } from './objects.ts';

export type AddressType = 'IPv4' | 'IPv6';

/** Matches an IPv4-mapped IPv6 address in the form of URLs: `::ffff:a00:1`. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Returns the address families of a Service. If it has no ipFamilies: the family of its cluster IP, or both if it is
 * headless.
 */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const told = [...new Set(spec?.ipFamilies ?? [])].filter(
    (family) => family === 'IPv4' || family === 'IPv6',
  );
  if (told.length > 0) return told;
  const { clusterIP } = spec ?? {};
  if (!clusterIP || clusterIP === 'None') return ['IPv4', 'IPv6'];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

/** Returns the addresses of a pod in a family, in canonical form: `2001:db8::1`. */
export function addressesOf(pod: Pod, type: AddressType): string[] {
  const { podIP, podIPs } = pod.status ?? {};
  const all = podIPs && podIPs.length > 0 ? podIPs.map(({ ip }) => ip) : [podIP];
  return all
    .map((ip) => canonicalAddress(ip ?? ''))
    .filter((ip) => (type === 'IPv4' ? isIPv4(ip) : isIPv6(ip)));
}

/**
 * Returns the canonical form: `2001:DB8:0::1` becomes `2001:db8::1`, and `010.0.0.1` and `::ffff:10.0.0.1` become
 * `10.0.0.1`. Other text, and an address with a zone, stays as it is.
 */
export function canonicalAddress(ip: string): string {
  if (!ip.includes(':')) return ip.replace(/\b0+(?=\d)/g, '');
  if (!isIPv6(ip) || ip.includes('%')) return ip;
  const written = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  return high && low ? [...bytesOf(high), ...bytesOf(low)].join('.') : written;
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
