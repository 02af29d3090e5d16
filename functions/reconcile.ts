import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { postingsBackfill } from '../lib/controllers/backfills/index.ts';
import { createReconciler, setAsideMeter, whileDue } from '../lib/controllers/reconcile/index.ts';
import { createHints, type ReconcileMessage } from '../lib/coordination/index.ts';
import { createSqsQueues } from '../lib/coordination/sqs/index.ts';
import {
  collections,
  namespacedCollections,
  targetResources as resources,
} from '../lib/kubernetes/resource-types/index.ts';
import { systemClock as clock, systemRandom as random, SERVICE_RANGE } from '../lib/platform/index.ts';
import { definitionStatuses, openAuthority, quotaReckoner } from '../lib/server/index.ts';
import { openTable } from '../lib/store/dynamodb/index.ts';
import { batchingTable, createStore } from '../lib/store/index.ts';
import { committed } from './committed.ts';
import { authorLife, historyDays, optional, required, subscribingRules } from './environment/index.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { handleBatch } from './sqs-batch.ts';
import { timeLeft } from './time-left.ts';

/** The function behind the reconcile queue and the schedule: queues, snapshots, catching up, namespaces, compaction. */

const { powertools, logger, report } = createLogger('reconcile');
const { metrics, publishing } = createMetrics({ logger, report });
// The messages of a batch are handled concurrently, and most of their reads are single rows.
const table = batchingTable(openTable({ tableName: required('table'), clock }));
const store = createStore({ table, clock, random, logger, metrics, historyDays: historyDays(), committed });
const queues = createSqsQueues();
const reconcileQueueUrl = required('reconcileQueueUrl');
const eventQueueUrl = required('eventQueueUrl');
const hints = createHints({ queues, queueUrl: eventQueueUrl, logger, metrics });
const reconciler = createReconciler({
  table,
  store,
  queues,
  resources,
  authority: openAuthority({ clock, life: authorLife() }),
  clock,
  random,
  logger,
  metrics,
  collections,
  namespacedCollections,
  hints,
  definitions: definitionStatuses(clock, hints),
  reconcileQueueUrl,
  queuePrefix: required('queuePrefix'),
  queueArns: required('queueArns'),
  queueKey: optional('queueKey'),
  rules: subscribingRules(),
  clusterId: required('clusterId'),
  internalQueueUrls: [reconcileQueueUrl, eventQueueUrl],
  followsAll: optional('derived') !== undefined,
});

const urls = optional('setAsideQueueUrls')?.split(',') ?? [];
const measureSetAside = setAsideMeter({ queues, urls, clock, logger, metrics });
const reckonQuotas = quotaReckoner(clock, hints);
const sweepCarriers = postingsBackfill({ table, clock, hints, logger });
const ticking = whileDue({ table, clock });

/** Whether this process has created the system's objects. Code that needs one that was deleted later creates it. */
let systemIsThere = false;

type ReconcileEvent = SQSEvent | ScheduledEvent<{ all?: boolean }>;

async function reconcileEvent(
  event: ReconcileEvent,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  const signal = clock.deadline(timeLeft(context));
  if ('Records' in event) {
    return handleBatch<ReconcileMessage>(event, {
      logger,
      signal,
      queueUrl: reconcileQueueUrl,
      receipts: queues.receipts,
      handle: reconciler.reconcile,
    });
  }
  if (!systemIsThere) {
    const { beginSystem } = await import('../lib/server/writers/begin-system.ts');
    await beginSystem({
      table,
      store: store.within(signal),
      clock,
      random,
      hints,
      signal,
      hasAccounts: optional('serviceAccounts') === 'true',
      serviceRange: optional('serviceClusterIPRange') ?? SERVICE_RANGE,
    });
  }
  systemIsThere = true;
  await ticking(event.detail?.all === true, async (all) => {
    const due = await reconciler.tick({ all, signal });
    await reckonQuotas(store.within(signal));
    const isSwept = await sweepCarriers(store.within(signal));
    const isNoneSetAside = await measureSetAside();
    return isSwept && isNoneSetAside ? due : clock.now();
  });
  return undefined;
}

export const handler = middy(reconcileEvent).use(injectLambdaContext(powertools)).use(publishing);
