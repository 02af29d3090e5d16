import { isIP } from 'node:net';
import { invalid } from '../field-errors/index.ts';
import type { Errors } from './errors.ts';

/**
 * Checks that a text is an IPv4 or IPv6 address. Parts of an IPv4 address may have leading zeros, as old fields
 * allow.
 */
export function* isAddress(path: string, text: string): Errors {
  if (versionOf(text) !== 0) return;
  yield invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
}

/** Checks that a text is a range of IP addresses: `10.9.8.0/24`. */
export function* isRange(path: string, text: string): Errors {
  const [address = '', length = '', ...more] = text.split('/');
  const version = versionOf(address);
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (more.length === 0 && version !== 0 && bits <= (version === 4 ? 32 : 128)) return;
  yield invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
}

/** Checks that an address can receive traffic: it is not unspecified, loopback or link-local. */
export function* isEndpoint(path: string, text: string): Errors {
  if (/^0+(\.0+){3}$/.test(text) || text === '::') {
    yield invalid(path, text, 'may not be unspecified (0.0.0.0 or ::)');
  }
  if (text.startsWith('127.') || text === '::1') {
    yield invalid(path, text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (text.startsWith('169.254.') || /^fe[89ab]/i.test(text)) {
    yield invalid(path, text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (text.startsWith('224.0.0.') || /^ff02:/i.test(text)) {
    yield invalid(path, text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}

/** Returns 4, 6, or 0 for text that is no address. An address with a zone, `fe80::1%eth0`, is none in Kubernetes. */
function versionOf(text: string): number {
  return text.includes('%') ? 0 : isIP(withoutLeadingZeros(text));
}

function withoutLeadingZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/\b0+(?=\d)/g, '');
}
