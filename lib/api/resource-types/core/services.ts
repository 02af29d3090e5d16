import type { JsonObject, JsonValue } from '../../../store/index.ts';
import { AGE, labelMap, NAME, NONE, text, wide } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import { readField } from '../read-field.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { SERVICE_SUBRESOURCES } from '../subresources.ts';

export const services: ResourceDefinition = {
  kind: 'Service',
  resource: 'services',
  description: 'Service names a set of pods that its selector chooses.',
  shortNames: ['svc'],
  answersDeleted: true,
  categories: ['all'],
  status: true,
  subresources: SERVICE_SUBRESOURCES,
  nameRule: 'label1035',
  fields: ['spec.clusterIP', 'spec.type'],
  selectors: [{ path: ['spec', 'selector'], kind: 'map' }],
  columns: [
    NAME,
    text('Type', 'How it is reached.', type),
    text('Cluster-IP', 'Its address inside.', clusterIp),
    text('External-IP', 'Its address outside.', externalIp),
    text('Port(s)', 'Ports it listens on.', (o) => listAt(o, 'spec.ports').map(port).join(',') || NONE),
    AGE,
    wide(labelMap('Selector', 'spec.selector', 'Which pods are behind it.')),
  ],
  properties: SPEC_AND_STATUS,
};

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
