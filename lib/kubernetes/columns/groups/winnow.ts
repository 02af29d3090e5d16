import { type JsonObject, valueAt } from '../../../json/index.ts';
import { type Column, formatLabelSelector, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, count, field, labelSelector, NAME, text, wide } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';
import { HOLDERS, ROLE } from './rbac.ts';

const GRANT_COLUMNS: readonly Column[] = [
  NAME,
  ROLE,
  labelSelector('Selector', 'labelSelector', 'Of which objects.'),
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
  ReachabilityReview: [
    field('Decision', 'status.decision', ''),
    side('Egress', 'egress'),
    side('Ingress', 'ingress'),
  ],
  Selection: [
    text('Kind', 'What the object is that selects.', (selection) => textAt(selection, 'carrier.kind')),
    NAME,
    field('Selector', 'selector', 'By which labels; everything where there is none.', '<everything>'),
    wide(field('Path', 'path', 'Where the selector stands in it.')),
    wide(field('Fields', 'fieldSelector', 'By which fields.')),
    wide(field('Namespaces', 'namespaceSelector', 'In namespaces with which labels.')),
  ],
  Subscription: [
    NAME,
    text('Resource', 'Whose changes it sends.', resource),
    text('Selector', 'Which objects it selects.', selector),
    field('Phase', 'status.phase', 'How far it is.'),
    field('Queue', 'status.queueUrl', 'Where the changes go.'),
    AGE,
    wide(text('Message', 'How it fares, in words.', message)),
    wide(field('ARN', 'status.queueArn', 'ARN of the queue.')),
  ],
  Tally: [
    NAME,
    text('Resource', 'What it counts.', resource),
    text('Selector', 'Which objects it counts.', selector),
    count('Count', 'status.count', 'How many there are.'),
    text('Bounds', 'How many there should be.', bounds),
    field('Phase', 'status.phase', 'Whether there are as many.'),
    AGE,
    wide(text('Groups', 'In how many groups they are.', groups)),
    wide(text('Namespaces', 'Of which namespaces.', namespaces)),
  ],
};

function side(name: string, path: string): Column {
  return text(name, '', (review) => textAt(review, `status.${path}.message`));
}

/** A principal without another name is known by its ARN. */
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

/** By their labels, or as spec.namespaces says it. */
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
