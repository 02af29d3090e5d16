import { isIP } from 'node:net';
import type { JsonObject } from '../../lib/json/index.ts';

/** An end as a ReachabilityReview has it. */
export function readEnd(text: string, namespace: string): JsonObject {
  if (isIP(text) !== 0) return { ip: text };
  const [, own, what = ''] = /^pods?\/(?:([^/=.]+)\/)?(.+)$/.exec(text) ?? [];
  if (what === '') {
    throw new Error(`${text} is no end: say pod/NAME, pod/NAMESPACE/NAME, pod/LABEL=VALUE or an IP address`);
  }
  const place = own ?? namespace;
  return what.includes('=')
    ? { namespace: place, labels: readLabels(what) }
    : { namespace: place, name: what };
}

/** An end with its port behind a colon; an IPv6 address stands in brackets before it. */
export function readDestination(text: string, namespace: string): { to: JsonObject; port: number | string } {
  const [, bracketed, plain, port = ''] = /^(?:\[(.+)\]|(.+)):([^:]+)$/.exec(text) ?? [];
  const end = bracketed ?? plain ?? '';
  if (end === '' || (bracketed === undefined && isIP(text) === 6)) {
    throw new Error(`${text} has no port: say pod/NAME:PORT, 192.0.2.1:PORT or [2001:db8::1]:PORT`);
  }
  return { to: readEnd(end, namespace), port: /^\d+$/.test(port) ? Number(port) : port };
}

function readLabels(text: string): JsonObject {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
}
