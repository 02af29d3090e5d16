import { isIP, isIPv6 } from 'node:net';
import { canonicalAddress } from '../../endpoints/index.ts';

/**
 * Warns of an address that is not in canonical form. Follows GetWarningsForIP of
 * k8s.io/apimachinery/pkg/util/validation. Text that is no address, which some fields accept, gets no warning.
 */
export function* addressWarnings(path: string, address: string): Generator<string> {
  const canonical = canonicalAddress(address);
  if (canonical === address || !isAddress(canonical)) return;
  if (isIPv6(canonical)) {
    yield `${path}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`;
  } else {
    yield `${path}: non-standard IP address "${address}" will be considered invalid in a future Kubernetes release: use "${canonical}"`;
  }
}

/**
 * Warns of a range that is not in canonical form, or has bits after its prefix. Follows GetWarningsForCIDR of
 * k8s.io/apimachinery/pkg/util/validation. Text that is no range gets no warning.
 */
export function* rangeWarnings(path: string, range: string): Generator<string> {
  const [address = '', length = ''] = range.split('/');
  const canonical = canonicalAddress(address);
  const isMapped = address.includes(':') && !isIPv6(canonical);
  const bits = Number(length) - (isMapped ? 96 : 0);
  const width = isIPv6(canonical) ? 128 : 32;
  if (!isAddress(canonical) || !/^\d{1,3}$/.test(length) || bits < 0 || bits > width) return;
  const masked = `${textOf(numberOf(canonical) & maskOf(bits, width), width)}/${bits}`;
  const isAmbiguous = masked !== `${canonical}/${bits}`;
  if (isAmbiguous) {
    yield `${path}: CIDR value "${range}" is ambiguous in this context (should be "${masked}" or "${canonical}/${isMapped ? 128 : width}"?)`;
  }
  const isStandard = width === 128 || canonical === address;
  if (!isStandard) {
    yield `${path}: non-standard CIDR value "${range}" will be considered invalid in a future Kubernetes release: use "${masked}"`;
  } else if (!isAmbiguous && `${canonical}/${bits}` !== range) {
    yield `${path}: IPv6 CIDR value "${range}" should be in RFC 5952 canonical format ("${canonical}/${bits}")`;
  }
}

/** Whether Kubernetes reads it as an address, which has no zone: `fe80::1%eth0` is none. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function maskOf(bits: number, width: number): bigint {
  return ((1n << BigInt(width)) - 1n) ^ ((1n << BigInt(width - bits)) - 1n);
}

/** Returns an address in canonical form as a number. */
function numberOf(address: string): bigint {
  if (!isIPv6(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::').map(groupsOf);
  const groups =
    tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return BigInt(`0x${[...groups].map((group) => String(group).padStart(4, '0')).join('')}`);
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function textOf(value: bigint, width: number): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const hex = value.toString(16).padStart(32, '0');
  return canonicalAddress((hex.match(/.{4}/g) ?? []).join(':'));
}
