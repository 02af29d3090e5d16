import { isIPv4, isIPv6 } from 'node:net';
import type { Pod, Service } from './objects.ts';

export type AddressType = 'IPv4' | 'IPv6';

/** An IPv6 address that stands for one of IPv4, as URLs are written: `::ffff:a00:1`. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** The families of a Service; where it does not say them, that of its address, and of a headless one both. */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const told = [...new Set(spec?.ipFamilies ?? [])].filter(
    (family) => family === 'IPv4' || family === 'IPv6',
  );
  if (told.length > 0) return told;
  const { clusterIP } = spec ?? {};
  if (!clusterIP || clusterIP === 'None') return ['IPv4', 'IPv6'];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

/** The addresses of a pod that are of a family, as they are written usually: `2001:db8::1`. */
export function addressesOf(pod: Pod, type: AddressType): string[] {
  const { podIP, podIPs } = pod.status ?? {};
  const all = podIPs && podIPs.length > 0 ? podIPs.map(({ ip }) => ip) : [podIP];
  return all.map((ip) => usual(ip ?? '')).filter((ip) => (type === 'IPv4' ? isIPv4(ip) : isIPv6(ip)));
}

/** `2001:DB8:0::1` is `2001:db8::1`, `010.0.0.1` is `10.0.0.1`, and `::ffff:10.0.0.1` is it, too. */
function usual(ip: string): string {
  if (!ip.includes(':')) return ip.replace(/\b0+(?=\d)/g, '');
  if (!isIPv6(ip)) return ip;
  const written = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  return high && low ? [...bytesOf(high), ...bytesOf(low)].join('.') : written;
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
