import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { setAside } from '../storage/index.ts';

export interface EveryMinute {
  readonly target: IFunction;
  readonly failures: IQueue;
  readonly description: string;
}

/**
 * Invokes a function every minute. A tick does the work of failed earlier ones, so a late tick is worth little. A tick
 * that was not delivered, or that failed, goes to the queue of failures after one retry.
 */
export function wakeEveryMinute(
  scope: Construct,
  id: string,
  { target, failures, description }: EveryMinute,
): void {
  const bounds = { retryAttempts: 1, maxEventAge: Duration.minutes(3) };
  new Rule(scope, id, {
    description,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(target, { deadLetterQueue: failures, ...bounds })],
  });
  target.configureAsyncInvoke({ ...bounds, onFailure: setAside(failures) });
}
