import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { TABLE } from '../../lib/platform/index.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';

export interface EventSourcesProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
}

/** What wakes the functions that no request wakes. */
export class EventSources extends Construct {
  constructor(scope: Construct, id: string, { functions, table, queues }: EventSourcesProps) {
    super(scope, id);
    const fifo = { batchSize: 10, reportBatchItemFailures: true };
    functions.dispatch.function.addEventSource(new SqsEventSource(queues.events, fifo));
    functions.reconcile.function.addEventSource(new SqsEventSource(queues.reconcile, fifo));
    functions.relay.function.addEventSource(journalInserts(table, queues));
    new Rule(this, 'EveryMinute', {
      description: 'Wakes reconcile, which repeats the hints of whatever is behind',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(functions.reconcile.function)],
    });
  }
}

/**
 * Inserts of journal entries only: with anything else the cursor's own writes would wake dispatch for ever.
 * Bounded in age and retries, because a batch that keeps failing blocks its shard: relay only repeats hints,
 * so what is given up costs a minute (the schedule), what blocks would cost a day.
 */
function journalInserts({ table }: Table, queues: Queues): DynamoEventSource {
  return new DynamoEventSource(table, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxRecordAge: Duration.minutes(15),
    retryAttempts: 5,
    bisectBatchOnError: true,
    onFailure: new SqsDlq(queues.relayFailures),
    filters: [
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { Keys: { [TABLE.partitionKey]: { S: FilterRule.beginsWith(TABLE.journalPrefix) } } },
      }),
    ],
  });
}
