import { randomUUID } from 'node:crypto';
import { type Logger, systemClock } from '../../lib/platform/index.ts';
import type { ScheduleDefinition } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';

export interface ScheduleOptions {
  readonly schedule: ScheduleDefinition;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly logger: Logger;
  readonly region: string;
}

/**
 * Runs the schedule's first invocation, before the first client connects. It creates the namespace `default`, and
 * reconciles every subscription, because the queues of an earlier run are gone.
 */
export async function runFirst({ schedule, runtime, logger, region }: ScheduleOptions): Promise<void> {
  try {
    await runtime.invoke(schedule.functionName, scheduledEvent(region, { all: true }));
  } catch (error) {
    logger.error('a function failed', { function: schedule.functionName, error });
  }
}

/** Invokes a function at the schedule's rate until the signal aborts. The first invocation is after one period. */
export async function runSchedule(
  { schedule, runtime, logger, region }: ScheduleOptions,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await systemClock.sleep(schedule.every, signal);
    if (signal.aborted) return;
    try {
      await runtime.invoke(schedule.functionName, scheduledEvent(region));
    } catch (error) {
      if (!signal.aborted) logger.error('a function failed', { function: schedule.functionName, error });
    }
  }
}

/** The event that an EventBridge rule sends to its target. */
export function scheduledEvent(region: string, detail: Readonly<Record<string, boolean>> = {}) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: new Date().toISOString(),
    region,
    resources: [`arn:aws:events:${region}:000000000000:rule/EveryMinute`],
    detail,
  };
}
