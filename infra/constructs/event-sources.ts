import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { TABLE } from '../../lib/platform/index.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';

/** How many of its invocations a thousand subscriptions that are due at once may start: they can wait. */
const RECONCILE_AT_ONCE = 50;

export interface EventSourcesProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
}

/**
 * What wakes the functions that no request wakes. The constructs that would also grant permissions are not
 * used: they grant more than is needed, and all that is granted stands in permissions.ts.
 */
export class EventSources extends Construct {
  constructor(scope: Construct, id: string, { functions, table, queues }: EventSourcesProps) {
    super(scope, id);
    const { dispatch, reconcile, relay } = functions;
    new EventSourceMapping(this, 'Hints', { ...fifo(queues.events), target: dispatch.function });
    new EventSourceMapping(this, 'Work', {
      ...fifo(queues.reconcile),
      target: reconcile.function,
      maxConcurrency: RECONCILE_AT_ONCE,
    });
    new EventSourceMapping(this, 'Journal', { ...journalInserts(table, queues), target: relay.function });
    this.#everyMinute(reconcile.function, queues.scheduleFailures);
  }

  /**
   * A tick repeats what the one before did not do, so a late one is not worth much: one more attempt, and then
   * it is set aside, whether it was not delivered or failed.
   */
  #everyMinute(target: IFunction, failures: IQueue): void {
    const deadLetterQueue = failures;
    new Rule(this, 'EveryMinute', {
      description: 'Wakes reconcile, which repeats the hints of whatever is behind',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [
        new LambdaFunction(target, { deadLetterQueue, retryAttempts: 1, maxEventAge: Duration.minutes(3) }),
      ],
    });
    target.configureAsyncInvoke({
      maxEventAge: Duration.minutes(3),
      retryAttempts: 1,
      onFailure: setAside(failures),
    });
  }
}

function fifo({ queueArn }: IQueue) {
  return { eventSourceArn: queueArn, batchSize: 10, reportBatchItemFailures: true };
}

/**
 * Inserts of journal entries and looks only: with anything else the cursor's own writes would wake dispatch for ever.
 * Bounded in age and retries, because a batch that keeps failing blocks its shard: relay only repeats hints
 * and tells of looks,
 * so what is given up costs a minute (the schedule), what blocks would cost a day.
 */
function journalInserts({ streamArn }: Table, queues: Queues) {
  return {
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxRecordAge: Duration.minutes(15),
    retryAttempts: 5,
    bisectBatchOnError: true,
    onFailure: setAside(queues.relayFailures),
    filters: [TABLE.journalPrefix, TABLE.looksPrefix].map((prefix) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { Keys: { [TABLE.partitionKey]: { S: FilterRule.beginsWith(prefix) } } },
      }),
    ),
  };
}

/** Where Lambda sends what a function failed for good. */
function setAside({ queueArn }: IQueue) {
  return { bind: () => ({ destination: queueArn }) };
}
