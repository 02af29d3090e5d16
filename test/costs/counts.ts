import { App } from 'aws-cdk-lib';
import { provisionedOf } from '../../infra/billing.ts';
import type { Template } from '../../infra/local/template.ts';
import { readSettings } from '../../infra/settings/index.ts';
import { ENVIRONMENT, METRICS, type MetricName, STATUSES, VERBS } from '../../lib/platform/index.ts';
import {
  functionOf,
  type Properties,
  properties,
  resources,
  synthesized,
} from '../unit/infra/synthesized.ts';
import { countBindings } from './count-bindings.ts';
import { type CanaryCounts, countCanary } from './count-canary.ts';
import { countDelivery, type DeliveryCounts } from './count-delivery.ts';
import { countKind, countRequests, type RequestCounts } from './count-requests.ts';
import { countSelections } from './count-selections.ts';
import { countWatchMinute } from './count-watch.ts';

/** All that costs are derived from but prices and assumptions. */
export interface Counts {
  readonly requests: RequestCounts;
  /** The same requests of a custom kind. */
  readonly kind: RequestCounts;
  /** What is asked of what selects. */
  readonly selections: RequestCounts;
  /** What whoever binds pods asks for. */
  readonly bindings: RequestCounts;
  readonly canary: CanaryCounts;
  readonly delivery: DeliveryCounts;
  /** Read units of a minute of watching one collection, to which nothing happens. */
  readonly watchMinute: number;
  /** The same of a collection that changes every 100 ms. */
  readonly busyWatchMinute: number;
  readonly stack: StackCounts;
}

/** What the synthesized stack has. */
export interface StackCounts {
  /** In GB, by the function's name. */
  readonly memory: Readonly<Record<'read' | 'write' | 'relay' | 'dispatch' | 'reconcile' | 'canary', number>>;
  readonly alarms: number;
  /** That a canary has more. */
  readonly canaryAlarms: number;
  /** Queues whose messages the tick counts. */
  readonly setAsideQueues: number;
  /** Metrics in CloudWatch of a stack that uses everything. */
  readonly metrics: number;
  /** Queues that Lambda polls. */
  readonly polledQueues: number;
  /** With provisioned capacity: the least units of the table and its indexes together, for reads as for writes. */
  readonly leastCapacity: number;
}

export async function countAll(): Promise<Counts> {
  const requests = await countRequests();
  const kind = await countKind();
  const selections = await countSelections();
  const bindings = await countBindings();
  const canary = await countCanary();
  const delivery = await countDelivery();
  return {
    requests,
    kind,
    selections,
    bindings,
    canary,
    delivery,
    watchMinute: await countWatchMinute(),
    busyWatchMinute: await countWatchMinute(100),
    stack: await countStack(),
  };
}

async function countStack(): Promise<StackCounts> {
  const template = await synthesized();
  const withCanary = await synthesized({ canary: true });
  const memory = (name: string) => functionOf(withCanary, name)[1].MemorySize / 1_024;
  const sources = resources(template, 'AWS::Lambda::EventSourceMapping');
  return {
    memory: {
      read: memory('read'),
      write: memory('write'),
      relay: memory('relay'),
      dispatch: memory('dispatch'),
      reconcile: memory('reconcile'),
      canary: memory('canary'),
    },
    alarms: alarmsOf(template),
    canaryAlarms: alarmsOf(withCanary) - alarmsOf(template),
    setAsideQueues: setAsideQueues(template),
    // RequestLatency is one for each of its values, and none by itself.
    metrics: Object.keys(METRICS).length - 1 - NOT_CHOSEN.length + VERBS.length + STATUSES.length,
    polledQueues: sources.filter(([, { Properties = {} }]) => Properties.StartingPosition === undefined)
      .length,
    leastCapacity: await leastCapacity(),
  };
}

function setAsideQueues(template: Template): number {
  const urls = functionOf(template, 'reconcile')[1].Environment.Variables[ENVIRONMENT.setAsideQueueUrls];
  return urls['Fn::Join'][1].filter((part: unknown) => typeof part === 'object').length;
}

const alarmsOf = (template: Template) => resources(template, 'AWS::CloudWatch::Alarm').length;

/** Measured only where there is a canary, or where audit events are sent to a queue. */
const NOT_CHOSEN: readonly MetricName[] = ['UnsentAuditEvents', 'CanarySuccess', 'CanaryDelay'];

async function leastCapacity(): Promise<number> {
  const node = new App({ context: { billing: 'provisioned' } }).node;
  const template = await synthesized({ provisioned: provisionedOf(readSettings(node)) });
  const [table] = properties(template, 'AWS::DynamoDB::Table');
  if (table === undefined) throw new Error('the stack has no table');
  const all: Properties[] = [table, ...table.GlobalSecondaryIndexes];
  return all.reduce((sum, { ProvisionedThroughput }) => sum + ProvisionedThroughput.ReadCapacityUnits, 0);
}
