import { type JsonObject, valueAt } from '../../../store/index.ts';
import { AGE, field, formatLabelSelector, NAME, NONE, text, wide } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import { array, boolean, fields, integer, object, string, time } from '../schema-fields.ts';

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
      wide(text('Message', 'How it fares, in words.', message)),
      wide(field('ARN', 'status.queueArn', 'ARN of the queue.')),
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
          arn: string('Send to this queue, which is there.'),
          token: string('What that queue was sent: proves that whoever names it may read it.'),
        }),
        ordering: string('Total (default) or Object: of what the order is kept.'),
        start: string('now (default), snapshot, or a resourceVersion.'),
        payload: string('Object (default), Metadata or Reference.'),
        suspend: boolean('Send nothing; what is missed is sent when it is taken back.'),
        consumers: array(
          'Who may receive, in the policy of the queue.',
          string('ARN of an IAM user, role or account.'),
        ),
      }),
      status: fields('Where it sends and how it fares.', {
        queueUrl: string('URL of the queue.'),
        queueArn: string('ARN of the queue.'),
        observedGeneration: integer('The generation that is in force, or on its way.', 'int64'),
        edit: integer('The last edit of what is sent, or the one under way.', 'int64'),
        phase: string('How far it is.'),
        position: string('Everything up to this resourceVersion was sent. On GET of one.'),
        lag: fields('What lies behind the position. On GET of one.', {
          changes: integer('So many resourceVersions, whomever they concern.', 'int64'),
          seconds: integer('How long ago the oldest of them was written.', 'int64'),
        }),
        messages: fields('What the queue held when it was looked at last. On GET of one.', {
          waiting: integer('Messages that wait to be received, about.', 'int64'),
          inFlight: integer('Messages that were received and not deleted, about.', 'int64'),
          asOf: time('When that was.'),
        }),
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

function message(subscription: JsonObject): string {
  const [ready] = listAt(subscription, 'status.conditions');
  return textAt(ready, 'message') || NONE;
}
