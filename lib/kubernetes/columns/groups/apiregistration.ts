import type { JsonObject } from '../../../json/index.ts';
import { listAt, objectAt, textAt } from '../../resource-types/index.ts';
import { AGE, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** apiregistration.k8s.io/v1: inventory. Winnow forwards no requests to other servers. */
export const apiregistration: ColumnsByKind = {
  APIService: [
    NAME,
    text('Service', 'The Service that serves it.', service),
    text('Available', 'Whether it is served.', available),
    AGE,
  ],
};

function service(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'spec.service');
  return name === undefined ? 'Local' : `${namespace}/${name}`;
}

function available(object: JsonObject): string {
  const found = listAt(object, 'status.conditions').find((one) => textAt(one, 'type') === 'Available');
  const [status, reason] = [textAt(found, 'status') || 'Unknown', textAt(found, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
