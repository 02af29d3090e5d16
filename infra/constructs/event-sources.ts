import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { TABLE } from '../../lib/platform/index.ts';
import type { Reservations } from '../concurrency/index.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';
import { pollersWithin } from './reserve-concurrency.ts';
import { setAside } from './set-aside.ts';
import type { Table } from './table.ts';
import { wakeEveryMinute } from './wake-every-minute.ts';

/** How many of its invocations a thousand subscriptions that are due at once may start: they can wait. */
const RECONCILE_AT_ONCE = 50;

export interface EventSourcesProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly reservations?: Reservations;
}

/**
 * What wakes the functions that no request wakes. The constructs that would also grant permissions are not
 * used: they grant more than is needed, and all that is granted stands in permissions.ts.
 */
export class EventSources extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { functions, table, queues, reservations = {} }: EventSourcesProps,
  ) {
    super(scope, id);
    const { dispatch, reconcile, relay, bind } = functions;
    const dispatchers = pollersWithin(reservations.dispatch);
    new EventSourceMapping(this, 'Hints', {
      ...fifo(queues.events),
      target: dispatch.function,
      ...(dispatchers !== undefined && { maxConcurrency: dispatchers }),
    });
    new EventSourceMapping(this, 'Work', {
      ...fifo(queues.reconcile),
      target: reconcile.function,
      maxConcurrency: pollersWithin(reservations.reconcile, RECONCILE_AT_ONCE) ?? RECONCILE_AT_ONCE,
    });
    new EventSourceMapping(this, 'Journal', { ...journalInserts(table, queues), target: relay.function });
    const failures = queues.scheduleFailures;
    wakeEveryMinute(this, 'EveryMinute', {
      target: reconcile.function,
      failures,
      description: 'Wakes reconcile, which repeats the hints of whatever is behind',
    });
    if (bind === undefined || queues.placement === undefined) return;
    new EventSourceMapping(this, 'Pods', { ...fifo(queues.placement.wake), target: bind.function });
    wakeEveryMinute(this, 'PodsEveryMinute', {
      target: bind.function,
      failures,
      description: 'Wakes bind, which looks whether a pod waits for a node',
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
