import type { Protocol } from '../../../lib/kubernetes/reachability/index.ts';

/** Few words, so that generated objects match each other. */

export const NAMESPACES = ['here', 'there', 'elsewhere'];
export const KEYS = ['app', 'tier', 'example.com/team'];
export const VALUES = ['a', 'b', ''];
export const PROTOCOLS: readonly Protocol[] = ['TCP', 'TCP', 'UDP', 'SCTP'];
export const PORTS = [53, 80, 81, 443, 8080];
export const PORT_NAMES = ['dns', 'http', 'web'];
export const OUTSIDE_IPV4 = ['10.0.0.200', '10.0.3.7', '10.255.0.1', '192.0.2.1'];
export const OUTSIDE_IPV6 = ['fd00::1:c8', 'fd00:0:0:0:0:0:3:7', 'fd01::1', '2001:db8::1'];
/** Address ranges, some of which are not written with the address of their network. */
export const RANGES = [
  '0.0.0.0/0',
  '10.0.0.0/8',
  '10.0.0.0/23',
  '10.0.3.9/22',
  '10.0.2.0/24',
  '10.0.1.2/32',
  '192.0.2.0/31',
  '::/0',
  'fd00::/16',
  'fd00::2:0/111',
  'fd00::1:3/128',
  'fd00:0::3:0/112',
];
