import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';

/** The needs of a Service by its type. k8s.io/kubernetes/pkg/registry/core/service */
export const needsAddress = ({ type }: JsonObject) => type !== 'ExternalName';
export const needsNodePorts = ({ type }: JsonObject) => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthPort = ({ type, externalTrafficPolicy }: JsonObject) =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export function portsOf({ ports }: JsonObject): JsonObject[] {
  return Array.isArray(ports) ? ports.filter(isJsonObject) : [];
}

/** The number of a port; 0 if there is none. */
export function numberOf(port: JsonValue | undefined): number {
  return Number(port ?? 0);
}
