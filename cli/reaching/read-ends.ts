import { isIP } from 'node:net';
import type { JsonObject } from '../../lib/json/index.ts';

/**
 * Reads an end of a connection, in the form of a ReachabilityReview.
 *
 * @throws {Error} the text is not an end
 */
export function readEnd(text: string, namespace: string): JsonObject {
  if (isIP(text) !== 0) return { ip: text };
  const [, own, what = ''] = /^pods?\/(?:([^/=.]+)\/)?(.+)$/.exec(text) ?? [];
  if (what === '') {
    throw new Error(
      `${text} is not an end: use pod/NAME, pod/NAMESPACE/NAME, pod/LABEL=VALUE or an IP address`,
    );
  }
  const place = own ?? namespace;
  return what.includes('=')
    ? { namespace: place, labels: readLabels(what) }
    : { namespace: place, name: what };
}

/**
 * Reads an end with a colon and a port after it. An IPv6 address must be in brackets.
 *
 * @throws {Error} the port is missing, or the text is not an end
 */
export function readDestination(text: string, namespace: string): { to: JsonObject; port: number | string } {
  const [, bracketed, plain, port = ''] = /^(?:\[(.+)\]|(.+)):([^:]+)$/.exec(text) ?? [];
  const end = bracketed ?? plain ?? '';
  if (end === '' || (bracketed === undefined && isIP(text) === 6)) {
    throw new Error(`${text} has no port: use pod/NAME:PORT, 192.0.2.1:PORT or [2001:db8::1]:PORT`);
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
