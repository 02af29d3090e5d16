import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { TABLE } from '../../../lib/platform/index.ts';
import type { Reservations } from '../../concurrency/index.ts';
import { type Functions, pollersWithin } from '../functions/index.ts';
import { type Queues, setAside, type Table } from '../storage/index.ts';
import { wakeEveryMinute } from './wake-every-minute.ts';

/** The most concurrent invocations of reconcile. A thousand subscriptions that are due at once can wait. */
const RECONCILE_AT_ONCE = 50;

export interface EventSourcesProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly reservations?: Reservations;
}

/**
 * The event sources of the functions that serve no requests. It does not use the constructs that also grant
 * permissions, because they grant too much. permissions.ts lists all permissions.
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
      description: 'Invokes reconcile, which repeats the hints of collections that are behind',
    });
    if (bind === undefined || queues.placement === undefined) return;
    new EventSourceMapping(this, 'Pods', { ...fifo(queues.placement.wake), target: bind.function });
    wakeEveryMinute(this, 'PodsEveryMinute', {
      target: bind.function,
      failures,
      description: 'Invokes bind, which looks for pods that wait for a node',
    });
  }
}

function fifo({ queueArn }: IQueue) {
  return { eventSourceArn: queueArn, batchSize: 10, reportBatchItemFailures: true };
}

/**
 * The event source of relay: inserts of journal entries and GC tasks only. With other records, the writes of cursors
 * would invoke dispatch for ever. Age and retries are limited, because a batch that keeps failing blocks its shard.
 * Relay only repeats hints and sends GC tasks, so `tick` makes up for an abandoned batch within a minute. A blocked
 * shard would stay blocked for a day.
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
