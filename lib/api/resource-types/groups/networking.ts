import type { JsonObject } from '../../../store/index.ts';
import { AGE, field, firstThree, labelSelector, NAME, NONE, text } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import type { Column } from '../resource-type.ts';
import { SPEC_AND_STATUS, SPEC_ONLY } from '../schema-fields.ts';

const ingressColumns: readonly Column[] = [
  NAME,
  field('Class', 'spec.ingressClassName', 'The class of controller that serves it.'),
  text('Hosts', 'Hosts it routes.', (o) => firstThree(hosts(o), '*')),
  text('Address', 'Where its load balancer is.', (o) => addresses(o).join(',')),
  text('Ports', 'Ports it listens on.', (o) => (listAt(o, 'spec.tls').length > 0 ? '80, 443' : '80')),
  AGE,
];

/** networking.k8s.io/v1 */
export const networking = defineResourceTypes('networking.k8s.io', 'v1', [
  {
    kind: 'Ingress',
    resource: 'ingresses',
    description: 'Ingress describes how requests from outside reach services.',
    shortNames: ['ing'],
    status: true,
    columns: ingressColumns,
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'IngressClass',
    resource: 'ingressclasses',
    description: 'IngressClass names a controller that serves ingresses.',
    scope: 'Cluster',
    columns: [
      NAME,
      field('Controller', 'spec.controller', 'The controller of the class.', ''),
      text('Parameters', 'Where more of its configuration is.', parameters),
      AGE,
    ],
    properties: SPEC_ONLY,
  },
  {
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    description: 'NetworkPolicy describes which traffic the pods it selects allow.',
    shortNames: ['netpol'],
    selectors: [{ path: ['spec', 'podSelector'], kind: 'labelSelector' }],
    columns: [NAME, labelSelector('Pod-Selector', 'spec.podSelector', 'Which pods it is about.'), AGE],
    properties: SPEC_ONLY,
  },
]);

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
