import type { JsonObject } from '../../../json/index.ts';
import { valueAt } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, asString, count, field, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** flowcontrol.apiserver.k8s.io/v1: inventory. Winnow does not queue requests by priority. */
export const flowcontrol: ColumnsByKind = {
  FlowSchema: [
    NAME,
    field('PriorityLevel', 'spec.priorityLevelConfiguration.name', 'The level of its requests.', ''),
    asString(
      count('MatchingPrecedence', 'spec.matchingPrecedence', 'The lowest that matches has a request.'),
    ),
    field('DistinguisherMethod', 'spec.distinguisherMethod.type', 'What makes requests different.'),
    AGE,
    text('MissingPL', 'Whether there is no such level.', dangling),
  ],
  PriorityLevelConfiguration: [
    NAME,
    field('Type', 'spec.type', 'Whether it has a limit.', ''),
    limited('NominalConcurrencyShares', 'nominalConcurrencyShares', 'Its share of all.'),
    limited('Queues', 'limitResponse.queuing.queues', 'How many queues it has.'),
    limited('HandSize', 'limitResponse.queuing.handSize', 'In how many queues a flow may be.'),
    limited('QueueLengthLimit', 'limitResponse.queuing.queueLengthLimit', 'How many wait in a queue.'),
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
