import { isJsonObject, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Chance } from '../world/chance.ts';

export const SERVICES_URL = '/api/v1/namespaces/default/services';
export const QUOTAS_URL = '/api/v1/namespaces/default/resourcequotas';
/** The media type of a change. */
export const MERGE = 'application/merge-patch+json';
/** The annotation that names the request of a change. */
const TOKEN = 'token';
const FINALIZERS = ['claims.example/kept'];
/** So few values that all clients request those that others have. */
const ADDRESSES = ['10.96.0.1', '10.96.0.2', '10.96.0.3'] as const;
const NODE_PORTS = [30_000, 30_001, 30_002] as const;

/** A Service that requests an address and ports, or leaves the choice to the API. */
export function anyService(chance: Chance, name: string, token: string): JsonObject {
  const finalizers = chance.chance(0.3) ? FINALIZERS : [];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, finalizers, annotations: { [TOKEN]: token } },
    spec: { ...anyAddress(chance), ...anyPorts(chance) },
  };
}

/** A merge patch: another type, other ports, or a change of neither. */
export function anyChange(chance: Chance, token: string): JsonObject {
  const metadata = { annotations: { [TOKEN]: token } };
  const what = chance.pick(['ports', 'ports', 'outside', 'release', 'selector'] as const);
  switch (what) {
    case 'ports':
      return { metadata, spec: { ...anyPorts(chance), externalName: null } };
    case 'outside':
      return {
        metadata,
        spec: { type: 'ExternalName', externalName: 'claims.example', clusterIP: '', clusterIPs: null },
      };
    case 'release':
      return { metadata: { ...metadata, finalizers: null } };
    case 'selector':
      return { metadata, spec: { selector: { by: token } } };
    default:
      return what satisfies never;
  }
}

function anyAddress(chance: Chance): JsonObject {
  return chance.chance(0.6) ? { clusterIP: chance.pick(ADDRESSES) } : {};
}

function anyPorts(chance: Chance): JsonObject {
  const type = chance.pick(['ClusterIP', 'NodePort', 'NodePort'] as const);
  const asked = (): JsonObject =>
    type === 'NodePort' && chance.chance(0.6) ? { nodePort: chance.pick(NODE_PORTS) } : {};
  const ports = [80, 443].slice(0, 1 + chance.below(2));
  return { type, ports: ports.map((port) => ({ name: `p${port}`, port, ...asked() })) };
}

/** A patch of the status subresource, without addresses and ports. */
export function statusOf(token: string): JsonObject {
  const condition = { type: 'Kept', status: 'True', reason: 'Kept', message: token };
  return { status: { conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }] } };
}

/** The token of the request that made a change; undefined if the change has none. */
export function tokenOf(body: JsonObject): string | undefined {
  const token = objectAt(metadataOf(body).annotations ?? {})[TOKEN];
  return token === undefined ? undefined : String(token);
}

/** The reservations that a Service needs, by its own body. */
export function claimsOf({ spec }: JsonObject): string[] {
  const { clusterIPs, healthCheckNodePort } = objectAt(spec ?? {});
  const addresses = Array.isArray(clusterIPs) ? clusterIPs.filter((address) => address !== 'None') : [];
  const ports = portsOf(spec ?? {}).map(({ nodePort }) => nodePort);
  const numbers = [...ports, healthCheckNodePort].filter((port) => Number(port ?? 0) > 0);
  return [
    ...addresses.map((address) => `service-ip#${address}`),
    ...new Set(numbers.map((port) => `node-port#${port}`)),
  ];
}

/** The usage that a Service adds to a quota, by resource. */
export function usageOf({ spec }: JsonObject): Readonly<Record<string, number>> {
  const { type } = objectAt(spec ?? {});
  const isOnNodes = type === 'NodePort';
  return { services: 1, 'services.nodeports': isOnNodes ? portsOf(spec ?? {}).length : 0 };
}

function portsOf(spec: JsonObject[string]): JsonObject[] {
  const { ports } = objectAt(spec);
  return Array.isArray(ports) ? ports.filter(isJsonObject) : [];
}
