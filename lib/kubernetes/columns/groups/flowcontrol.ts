import type { JsonObject } from '../../../json/index.ts';
import { valueAt } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, asString, count, field, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** flowcontrol.apiserver.k8s.io/v1: inventory. Winnow does not queue requests by priority. */
export const flowcontrol: ColumnsByKind = {
  FlowSchema: [
    NAME,
    field('PriorityLevel', 'spec.priorityLevelConfiguration.name', 'The priority level of the requests.', ''),
    asString(
      count(
        'MatchingPrecedence',
        'spec.matchingPrecedence',
        'The precedence: of the schemas that match a request, the lowest number applies.',
      ),
    ),
    field(
      'DistinguisherMethod',
      'spec.distinguisherMethod.type',
      'The property that distinguishes the flows of requests.',
    ),
    AGE,
    text('MissingPL', 'Whether the priority level is missing.', dangling),
  ],
  PriorityLevelConfiguration: [
    NAME,
    field('Type', 'spec.type', 'Whether it has a limit.', ''),
    limited(
      'NominalConcurrencyShares',
      'nominalConcurrencyShares',
      'The share of the concurrency of the server.',
    ),
    limited('Queues', 'limitResponse.queuing.queues', 'The number of queues.'),
    limited('HandSize', 'limitResponse.queuing.handSize', 'The number of queues that one flow may use.'),
    limited('QueueLengthLimit', 'limitResponse.queuing.queueLengthLimit', 'The maximum length of a queue.'),
    AGE,
  ],
};

function dangling(schema: JsonObject): string {
  const found = listAt(schema, 'status.conditions').find((one) => textAt(one, 'type') === 'Dangling');
  return textAt(found, 'status') || '?';
}

function limited(name: string, path: string, description: string): Column {
  return text(name, description, (level) => {
    const found = valueAt(level, `spec.limited.${path}`);
    return typeof found === 'number' ? found : NONE;
  });
}
