import { type JsonObject, valueAt } from '../../../store/index.ts';
import { AGE, field, formatLabelSelector, NAME, text } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { textAt } from '../json-path.ts';
import { array, fields, integer, object, string } from '../schema-fields.ts';

/** winnow.dev/v1 */
export const winnow = defineResourceTypes('winnow.dev', 'v1', [
  {
    kind: 'Subscription',
    resource: 'subscriptions',
    description: 'Subscription sends the changes of the objects it selects to a queue.',
    shortNames: ['sub'],
    status: true,
    builtin: false,
    // Its selector is validated with the rest of its spec, in lib/watch.
    selectors: [],
    columns: [
      NAME,
      text('Resource', 'Whose changes it sends.', resource),
      text('Selector', 'Which objects it selects.', selector),
      field('Phase', 'status.phase', 'How far it is.'),
      field('Queue', 'status.queueUrl', 'Where the changes go.'),
      AGE,
    ],
    properties: {
      spec: fields('What to send where.', {
        resource: fields('Whose changes to send.', {
          group: string('API group; empty for the core group.'),
          resource: string('Plural of the resource type.'),
        }),
        namespaces: string('Own (default): of its own namespace. All: of every namespace.'),
        labelSelector: string('Which objects, in the selector language; or selector.'),
        fieldSelector: string('Which objects, by fields.'),
        queue: fields('Where to send.', {
          type: string('FIFO (default) or Standard: make a queue of this type.'),
          arn: string('Send to this queue.'),
        }),
        start: string('now (default), snapshot, or a resourceVersion.'),
        payload: string('Object (default), Metadata or Reference.'),
        consumers: array('ARNs that may receive.', string('An ARN.')),
      }),
      status: fields('Where it sends and how it fares.', {
        queueUrl: string('URL of the queue.'),
        edit: integer('The last edit of what is sent, or the one under way.', 'int64'),
        phase: string('How far it is.'),
        conditions: array('Conditions.', object('A condition.')),
      }),
    },
  },
]);

function resource(subscription: JsonObject): string {
  const group = textAt(subscription, 'spec.resource.group');
  const plural = textAt(subscription, 'spec.resource.resource');
  return group === '' ? plural : `${plural}.${group}`;
}

function selector(subscription: JsonObject): string {
  const written = textAt(subscription, 'spec.labelSelector');
  return written === '' ? formatLabelSelector(valueAt(subscription, 'spec.selector')) : written;
}
