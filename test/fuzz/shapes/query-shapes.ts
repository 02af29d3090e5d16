import { CONFIG_MAPS, KIB, PODS, repeated, type Shape } from '../fuzz-request.ts';

const queries: Readonly<Record<string, readonly [path: string, (bytes: number) => Record<string, string>]>> =
  {
    'labels that are there': [
      PODS,
      (bytes) => ({ labelSelector: repeated(bytes, (at) => `k${at},`).slice(0, -1) }),
    ],
    'labels of many values': [
      PODS,
      (bytes) => ({ labelSelector: `a in (${repeated(bytes, (at) => `v${at},`).slice(0, -1)})` }),
    ],
    'labels that are not': [
      PODS,
      (bytes) => ({ labelSelector: repeated(bytes, (at) => `!k${at},`).slice(0, -1) }),
    ],
    parentheses: [PODS, (bytes) => ({ labelSelector: `a in ${'('.repeat(bytes)}` })],
    fields: [PODS, (bytes) => ({ fieldSelector: repeated(bytes, () => 'status.phase=a,').slice(0, -1) })],
    'fields with escapes': [PODS, (bytes) => ({ fieldSelector: `metadata.name=${'\\,'.repeat(bytes / 2)}` })],
    'a continue token': [
      PODS,
      (bytes) => ({ limit: '1', continue: Buffer.from('['.repeat(bytes * 0.75)).toString('base64url') }),
    ],
    facets: [PODS, (bytes) => ({ facets: repeated(bytes, (at) => `k${at},`).slice(0, -1) })],
    'an order': [PODS, (bytes) => ({ sortBy: repeated(bytes, (at) => `k${at},`).slice(0, -1) })],
    'a resourceVersion': [CONFIG_MAPS, (bytes) => ({ resourceVersion: '9'.repeat(bytes) })],
    'a limit': [CONFIG_MAPS, (bytes) => ({ limit: '9'.repeat(bytes) })],
  };

export const QUERY_SHAPES: readonly Shape[] = Object.entries(queries).map(([name, [path, query]]) => ({
  name: `query: ${name}`,
  // What Node.js and API Gateway accept of a URL.
  most: 8 * KIB,
  make: (bytes) => ({ method: 'GET', path: `${path}?${new URLSearchParams(query(bytes))}` }),
}));
