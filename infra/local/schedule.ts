import { randomUUID } from 'node:crypto';
import { type Logger, systemClock } from '../../lib/platform/index.ts';
import type { ScheduleDefinition } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';

export interface ScheduleOptions {
  readonly schedule: ScheduleDefinition;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly logger: Logger;
  readonly region: string;
  readonly signal: AbortSignal;
}

/** Invokes a function at once and then at the schedule's rate, until the signal aborts. */
export async function runSchedule(options: ScheduleOptions): Promise<void> {
  const { schedule, runtime, logger, region, signal } = options;
  while (!signal.aborted) {
    try {
      await runtime.invoke(schedule.functionName, scheduledEvent(region));
    } catch (error) {
      if (!signal.aborted) logger.error('a function failed', { function: schedule.functionName, error });
    }
    await systemClock.sleep(schedule.every, signal);
  }
}

/** What an EventBridge rule sends its target. */
export function scheduledEvent(region: string) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: new Date().toISOString(),
    region,
    resources: [`arn:aws:events:${region}:000000000000:rule/EveryMinute`],
    detail: {},
  };
}
