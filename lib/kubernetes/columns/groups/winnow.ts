import { fieldPathOf, type JsonObject, valueAt } from '../../../json/index.ts';
import {
  type Column,
  formatLabelSelector,
  humanAge,
  listAt,
  NONE,
  textAt,
} from '../../resource-types/index.ts';
import { AGE, count, field, firstThree, labelSelector, NAME, text, wide } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';
import { HOLDERS, ROLE } from './rbac.ts';

const GRANT_COLUMNS: readonly Column[] = [
  NAME,
  ROLE,
  labelSelector('Selector', 'labelSelector', 'The labels of the objects that the role applies to.'),
  AGE,
  ...HOLDERS,
];

/** winnow.dev/v1 */
export const winnow: ColumnsByKind = {
  AccessEntry: [
    NAME,
    field('Principal', 'spec.principal', 'The principal.'),
    text('Username', 'The name of the user.', username),
    text('Groups', 'The groups of the user.', accessGroups),
    AGE,
  ],
  AccessGrant: GRANT_COLUMNS,
  ClusterAccessGrant: GRANT_COLUMNS,
  History: [
    NAME,
    field('Type', 'type', 'The type of the change.'),
    field('Version', 'resourceVersion', 'The resourceVersion that the change gave the object.'),
    field('User', 'user', 'The user that made the change.'),
    field('Manager', 'manager', 'The field manager of the change.'),
    text('Change', 'The fields that changed: + added, - removed, ~ changed.', changedFields),
    text('Age', 'Time since the change.', (change, now) => humanAge(textAt(change, 'time'), now)),
    wide(field('Time', 'time', 'The time of the change.')),
    wide(field('Previous', 'previousResourceVersion', 'The resourceVersion of the change before it.')),
    wide(field('Cause', 'cause', 'The annotation kubernetes.io/change-cause, if the change set it.')),
    wide(field('Audit ID', 'auditID', 'The audit ID of the request that made the change.')),
  ],
  ReachabilityReview: [
    field('Decision', 'status.decision', ''),
    side('Egress', 'egress'),
    side('Ingress', 'ingress'),
  ],
  Selection: [
    text('Kind', 'The kind of the object that holds the selector.', (selection) =>
      textAt(selection, 'carrier.kind'),
    ),
    NAME,
    field(
      'Selector',
      'selector',
      'The label selector; without one, every object is selected.',
      '<everything>',
    ),
    wide(field('Path', 'path', 'The path of the selector in the object.')),
    wide(field('Fields', 'fieldSelector', 'The field selector.')),
    wide(field('Namespaces', 'namespaceSelector', 'The labels of the namespaces that it selects from.')),
  ],
  Subscription: [
    NAME,
    text('Resource', 'The resource whose changes it delivers.', resource),
    text('Selector', 'The label selector of the delivered objects.', selector),
    field('Phase', 'status.phase', 'The phase of the subscription.'),
    field('Queue', 'status.queueUrl', 'The URL of the queue that receives the changes.'),
    AGE,
    wide(text('Message', 'The message of the first condition.', message)),
    wide(field('ARN', 'status.queueArn', 'The ARN of the queue that receives the changes.')),
  ],
  Tally: [
    NAME,
    text('Resource', 'The resource that it counts.', resource),
    text('Selector', 'The label selector of the counted objects.', selector),
    count('Count', 'status.count', 'The number of objects.'),
    text('Bounds', 'The smallest and the largest number of objects that spec.bounds allows.', bounds),
    field('Phase', 'status.phase', 'The phase of the tally.'),
    AGE,
    wide(text('Groups', 'The number of groups.', groups)),
    wide(text('Namespaces', 'The namespaces that it counts in.', namespaces)),
  ],
};

const SIGNS: Readonly<Partial<Record<string, string>>> = { add: '+', remove: '-', replace: '~' };

/** The field paths in the patch of a change, each with a sign. The path of a whole object is empty, and is left out. */
function changedFields(change: JsonObject): string {
  const operations = listAt(change, 'patch').filter((operation) => textAt(operation, 'path') !== '');
  const paths = operations.map(
    (operation) => `${SIGNS[textAt(operation, 'op')] ?? ''}${fieldPathOf(textAt(operation, 'path'))}`,
  );
  return firstThree(paths, NONE);
}

function side(name: string, path: string): Column {
  return text(name, '', (review) => textAt(review, `status.${path}.message`));
}

/** Returns the username that the entry sets, or none. Without it, the username of the principal is its ARN. */
function username(entry: JsonObject): string {
  return textAt(entry, 'spec.username') || NONE;
}

function accessGroups(entry: JsonObject): string {
  const found = valueAt(entry, 'spec.groups');
  return Array.isArray(found) && found.length > 0 ? found.join(',') : NONE;
}

function bounds(tally: JsonObject): string {
  const [min, max] = [textAt(tally, 'spec.bounds.min'), textAt(tally, 'spec.bounds.max')];
  return min === '' && max === '' ? NONE : `${min || 0}..${max}`;
}

function groups(tally: JsonObject): string {
  const found = valueAt(tally, 'status.groups');
  return Array.isArray(found) ? String(found.length) : NONE;
}

/** Returns the namespace selector if the tally has one, else `spec.namespaces`. */
function namespaces(tally: JsonObject): string {
  const selected = valueAt(tally, 'spec.namespaceSelector') ?? null;
  const written = selected === null ? textAt(tally, 'spec.namespaces') : formatLabelSelector(selected);
  return written === NONE ? 'All' : written;
}

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
