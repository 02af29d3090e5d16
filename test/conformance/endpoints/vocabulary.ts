/** Few words, so that generated objects match each other. */

export const NAMESPACE = 'fleet';
export const NODES = ['node-a', 'node-b', 'node-c', 'node-gone'];
export const ZONES: readonly Readonly<Record<string, string>>[] = [
  { 'topology.kubernetes.io/zone': 'east' },
  { 'topology.kubernetes.io/zone': 'west' },
  {},
];
export const PROTOCOLS = ['TCP', 'TCP', 'UDP'];
export const PORT_NAMES = ['http', 'metrics', 'dns'];
export const PORTS = [80, 443, 8080];
export const FAMILIES = [['IPv4'], ['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']];
export const LABELS: readonly Readonly<Record<string, string>>[] = [
  {},
  { app: 'web' },
  { app: 'web', tier: 'front' },
  { app: 'db', 'service.kubernetes.io/headless': 'no', 'kubernetes.io/service-name': 'other' },
];
export const ANNOTATIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  { 'service.kubernetes.io/topology-mode': 'Auto' },
];
/** IPv6 addresses, some in an unusual notation. */
export const IPV6 = (index: number) =>
  index % 7 === 0 ? `FD00:0:0::0:${index + 1}` : `fd00::${(index + 1).toString(16)}`;
