import type { JsonObject } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, field, firstThree, labelSelector, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

const ingressColumns: readonly Column[] = [
  NAME,
  field('Class', 'spec.ingressClassName', 'The class of controller that serves it.'),
  text('Hosts', 'Hosts it routes.', (o) => firstThree(hosts(o), '*')),
  text('Address', 'The addresses of its load balancer.', (o) => addresses(o).join(',')),
  text('Ports', 'Ports it listens on.', (o) => (listAt(o, 'spec.tls').length > 0 ? '80, 443' : '80')),
  AGE,
];

/** networking.k8s.io/v1 */
export const networking: ColumnsByKind = {
  Ingress: ingressColumns,
  IngressClass: [
    NAME,
    field('Controller', 'spec.controller', 'The controller of the class.', ''),
    text('Parameters', 'The object with further configuration.', parameters),
    AGE,
  ],
  IPAddress: [NAME, text('ParentRef', 'The object that has the address.', parent)],
  NetworkPolicy: [
    NAME,
    labelSelector('Pod-Selector', 'spec.podSelector', 'The selector of the pods that the policy applies to.'),
    AGE,
  ],
  ServiceCIDR: [
    NAME,
    text('CIDRs', 'The ranges of addresses.', (o) => listAt(o, 'spec.cidrs').map(String).join(',')),
    AGE,
  ],
};

function parent(address: JsonObject): string {
  const [group, resource = '', namespace, name = ''] = ['group', 'resource', 'namespace', 'name'].map((key) =>
    textAt(address, `spec.parentRef.${key}`),
  );
  if (resource === '') return NONE;
  const kind = (group ? `${resource}.${group}` : resource).toLowerCase();
  return [kind, ...(namespace ? [namespace] : []), name].join('/');
}

function hosts(ingress: JsonObject): string[] {
  return listAt(ingress, 'spec.rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '');
}

function addresses(ingress: JsonObject): string[] {
  return listAt(ingress, 'status.loadBalancer.ingress')
    .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
    .filter((address) => address !== '');
}

function parameters(ingressClass: JsonObject): string {
  const [group, kind, name] = ['apiGroup', 'kind', 'name'].map((key) =>
    textAt(ingressClass, `spec.parameters.${key}`),
  );
  if (!kind) return NONE;
  return `${group ? `${kind}.${group}` : kind}/${name}`;
}
