import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { CANARY, TIMING } from '../../../lib/platform/index.ts';
import type { Gaps } from '../../emulators.ts';
import { wakeEveryMinute } from '../events/index.ts';
import { type Functions, WinnowFunction } from '../functions/index.ts';
import {
  allotVersions,
  assignSlots,
  changeRows,
  fillHoles,
  fitStatement,
  LISTED,
  ofCollections,
  queryIndexes,
  readRows,
  send,
} from '../rights/index.ts';
import type { Queues, Table } from '../storage/index.ts';

export interface CanaryProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly gaps: Gaps;
}

/** The collections that it writes: of its object, and of its Subscription. */
const WRITTEN = [CANARY.collection, 'winnow.dev/subscriptions'] as const;

/**
 * A function that tests the deployment every minute. It may write its object and Subscriptions, read these and
 * namespaces, and receive from the queue of its Subscription.
 */
export class Canary extends Construct {
  readonly canary: WinnowFunction;
  /** The ARN pattern of the queue of its Subscription. */
  readonly queue: string;

  constructor(scope: Construct, id: string, { functions, table, queues, gaps }: CanaryProps) {
    super(scope, id);
    this.canary = new WinnowFunction(this, 'Canary', {
      ...functions.shared,
      name: 'canary',
      description: 'tests the deployment: writes, lists, and waits for a message',
      timeout: Duration.millis(TIMING.canary),
      memorySize: 512,
    });
    wakeEveryMinute(this, 'EveryMinute', {
      target: this.canary.function,
      failures: queues.scheduleFailures,
      description: 'Invokes the canary, which tests the deployment',
    });
    this.queue = queues.queueOf(CANARY);
    // Its objects are small, and the keys of chunks do not name a collection.
    const reads = readRows(table, ...LISTED.filter((kind) => kind !== 'chunk'));
    const writes = [
      ...changeRows(table, { put: ['object', 'labels', 'journal', 'relabel'], check: ['tombstone'] }),
      fillHoles(table),
      assignSlots(table),
      allotVersions(table),
    ];
    for (const statement of [
      ofCollections(reads, ...WRITTEN, 'core/namespaces'),
      queryIndexes(table),
      ...writes.map((one) => ofCollections(one, ...WRITTEN)),
      send('SendHints', queues.events.queueArn),
      {
        sid: 'ReceiveOwn',
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
        resources: [this.queue],
      },
      send('GiveUp', queues.scheduleFailures.queueArn),
    ]) {
      this.canary.role.addToPrincipalPolicy(new PolicyStatement(fitStatement(statement, gaps)));
    }
  }
}
