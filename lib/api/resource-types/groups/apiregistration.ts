import type { JsonObject } from '../../../store/index.ts';
import { AGE, NAME, text } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, objectAt, textAt } from '../json-path.ts';

/** apiregistration.k8s.io/v1: inventory. No request is handed on to another server. */
export const apiregistration = defineResourceTypes('apiregistration.k8s.io', 'v1', [
  {
    kind: 'APIService',
    resource: 'apiservices',
    description: 'APIService says who serves a version of a group.',
    categories: ['api-extensions'],
    scope: 'Cluster',
    status: true,
    nameRule: 'path',
    columns: [
      NAME,
      text('Service', 'Who serves it.', service),
      text('Available', 'Whether it is served.', available),
      AGE,
    ],
  },
]);

function service(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'spec.service');
  return name === undefined ? 'Local' : `${namespace}/${name}`;
}

function available(object: JsonObject): string {
  const found = listAt(object, 'status.conditions').find((one) => textAt(one, 'type') === 'Available');
  const [status, reason] = [textAt(found, 'status') || 'Unknown', textAt(found, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
