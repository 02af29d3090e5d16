import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { type Column, listAt, NONE, readField, textAt } from '../../resource-types/index.ts';
import { AGE, labelMap, NAME, text, wide } from '../columns.ts';

export const services: readonly Column[] = [
  NAME,
  text('Type', 'The type of the service.', type),
  text('Cluster-IP', 'The internal address.', clusterIp),
  text('External-IP', 'The external address.', externalIp),
  text('Port(s)', 'Ports it listens on.', (o) => listAt(o, 'spec.ports').map(port).join(',') || NONE),
  AGE,
  wide(labelMap('Selector', 'spec.selector', 'The selector of the pods behind the service.')),
];

function type(service: JsonObject): string {
  return readField(service, 'spec.type') ?? NONE;
}

function clusterIp(service: JsonObject): string {
  return String(listAt(service, 'spec.clusterIPs')[0] ?? '') || textAt(service, 'spec.clusterIP') || NONE;
}

function externalIp(service: JsonObject): string {
  if (type(service) === 'ExternalName') return textAt(service, 'spec.externalName') || NONE;
  const balanced = type(service) === 'LoadBalancer';
  const assigned = balanced ? listAt(service, 'status.loadBalancer.ingress').map(ingress) : [];
  const addresses = [...assigned, ...listAt(service, 'spec.externalIPs').map(String)];
  return addresses.join(',') || (balanced ? '<pending>' : NONE);
}

function ingress(entry: JsonValue): string {
  return textAt(entry, 'ip') || textAt(entry, 'hostname');
}

function port(entry: JsonValue): string {
  const node = textAt(entry, 'nodePort');
  const protocol = textAt(entry, 'protocol') || 'TCP';
  return `${textAt(entry, 'port')}${node === '' || node === '0' ? '' : `:${node}`}/${protocol}`;
}
