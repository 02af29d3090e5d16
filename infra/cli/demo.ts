import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocal } from '../local/start-local.ts';
import { Client } from './client.ts';
import { showOwnObjects } from './own-objects.ts';
import { screen } from './screen.ts';
import { tour } from './tour.ts';

const USAGE = `npm run demo                                    a tour, on the fixtures of this repository
npm run demo -- -f FILE… --selector SELECTOR    the same on your own YAML
npm run demo -- --fixtures FOLDER               the tour, on a copy of test/fixtures: fails where that differs`;

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');

/** Starts Winnow on embedded emulators, then only acts as a client: HTTP and the SQS SDK. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      file: { type: 'string', short: 'f', multiple: true, default: [] },
      selector: { type: 'string', short: 'l', default: '' },
      fixtures: { type: 'string', default: FIXTURES },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    screen.say(USAGE);
    return 0;
  }
  const files = [...values.file, ...positionals];
  const began = performance.now();
  const winnow = await startLocal({ logger: problems });
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
  screen.say(`Winnow runs at ${winnow.url}, on embedded DynamoDB and SQS (${seconds()} s).`);
  screen.say(
    'Commands are shown as you would type them; the demo sends their requests itself, and checks the answers.',
  );
  try {
    const options = { client: new Client(winnow.url), sqs: winnow.sqsClientConfig };
    const wrong =
      files.length === 0
        ? await tour({ ...options, fixtures: values.fixtures })
        : await showOwnObjects({ ...options, files, selector: values.selector });
    screen.blank();
    if (wrong > 0) screen.error(`${wrong} answers were wrong.`);
    else screen.say(`Every answer was right, in ${seconds()} s. To keep it running: npm start`);
    return wrong > 0 ? 1 : 0;
  } finally {
    await winnow.stop();
  }
}

/** What goes wrong behind the front door is not part of the tour, but must not go unseen either. */
const problems = {
  debug: () => {},
  info: () => {},
  warn: (message: string) => screen.error(message),
  error: (message: string, data?: Record<string, unknown>) =>
    screen.error(`${message} ${String(data?.error ?? '')}`),
};

try {
  process.exitCode = await main();
} catch (error) {
  screen.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
