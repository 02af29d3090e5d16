import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { startLocal } from '../../infra/local/index.ts';
import { Client } from '../client.ts';
import { screen } from '../screen.ts';
import type { DemoOptions } from './options.ts';
import { showOwnObjects } from './own-objects.ts';
import { placementTour } from './placement-tour.ts';
import { tour } from './tour.ts';

/** Starts Winnow on embedded emulators, and then acts only as a client: with HTTP and the SQS SDK. */
export async function demo(options: DemoOptions): Promise<void> {
  const began = performance.now();
  const winnow = await startLocal({ logger: problems, newestSchema: true });
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
  screen.say(`Winnow runs at ${winnow.url}, on embedded DynamoDB and SQS (${seconds()} s).`);
  screen.say(
    'The demo shows commands as you would type them, sends their requests itself, and checks the answers.',
  );
  try {
    const wrong = await show(options, new Client(winnow.url), winnow.sqsClientConfig);
    screen.blank();
    if (wrong > 0) {
      screen.error(`${wrong} answers were wrong.`);
    } else {
      screen.say(`Every answer was correct, in ${seconds()} s. To keep Winnow running: npm start`);
    }
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await winnow.stop();
  }
}

/** Returns how many answers were wrong. */
function show(options: DemoOptions, client: Client, sqs: SQSClientConfig): Promise<number> {
  const { file: files = [], selector = '', fixtures, placement = false } = options;
  if (placement) return placementTour(client);
  const shared = { client, sqs };
  return files.length === 0 ? tour({ ...shared, fixtures }) : showOwnObjects({ ...shared, files, selector });
}

/** Prints warnings and errors of the functions, which are not part of the tour. */
const problems = {
  debug: () => {},
  info: () => {},
  warn: (message: string) => screen.error(message),
  error: (message: string, data?: Record<string, unknown>) =>
    screen.error(`${message} ${String(data?.error ?? '')}`),
};
