/** `npm run test:deploy`: deploys the stack for real, uses it as its users do, and destroys it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findKubectls } from '../conformance/harness/kubectl-binaries.ts';
import { Cdk } from './cdk.ts';
import { Progress } from './progress.ts';
import { removeRemains } from './remains.ts';
import { table } from './report.ts';
import { runSteps } from './run-steps.ts';
import { allSteps } from './steps/all-steps.ts';
import { chooseTarget } from './targets/choose-target.ts';
import { type Step, Trial } from './trial.ts';

const USAGE = `npm run test:deploy                              on a MiniStack of its own, on loopback
npm run test:deploy -- --target localstack       on a LocalStack of its own, on loopback, without Docker
AWS_ENDPOINT_URL=… npm run test:deploy           on the MiniStack or LocalStack that runs there
npm run test:deploy -- --account 123456789012    on AWS, in this account: creates and destroys things, costs cents
npm run test:deploy -- --from v0.1.0             upgrades from this commit, not from the last release

Needs Python 3.10 or later (PYTHON names one), openssl, kubectl (KUBECTL names one), and Chromium (CHROMIUM names
one); LocalStack Python 3.13 or later, Java 17 or later, and Maven.`;

const progress = new Progress();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      account: { type: 'string' },
      target: { type: 'string' },
      from: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    progress.say(USAGE);
    return 0;
  }
  const [kubectl] = findKubectls();
  const interrupted = interruption();
  const directory = await mkdtemp(join(tmpdir(), 'winnow-deploy-'));
  try {
    progress.begin('start');
    const target = await chooseTarget({ account: values.account, emulator: values.target, directory });
    progress.end(`${target.name}, kubectl ${kubectl.version}`);
    const stackName = `WinnowTest-${randomBytes(3).toString('hex')}`;
    const cdk = new Cdk({ target, stackName, directory, progress: (text) => progress.note(text) });
    try {
      return await test(
        new Trial({ target, cdk, stackName, directory, kubectl, from: values.from }),
        interrupted,
      );
    } finally {
      await target.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Takes the steps and cleans up after them, however they ended. */
async function test(trial: Trial, interrupted: AbortSignal): Promise<number> {
  const outcomes = await runSteps(allSteps, { trial, progress, interrupted });
  trial.close();
  await trial.options.cdk.abandon();
  const cleaned = await runSteps([cleanUp], { trial, progress, interrupted: new AbortController().signal });
  const all = [...outcomes, ...cleaned];
  progress.say(`\n${table(all)}`);
  return all.every(({ result }) => result === 'ok') ? 0 : 1;
}

/** By name, not by what the steps remember: whatever they had come to. */
const cleanUp: Step = {
  name: 'clean up',
  run: async ({ options, destroyed }) => {
    const { target, cdk } = options;
    if (!destroyed && !target.temporary) await cdk.destroy();
    await removeRemains(options);
    await target.stop();
    return 'stack, table and queues are gone';
  },
};

/** Aborts at the first Ctrl-C; the second ends everything at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(130);
      progress.say('\nInterrupted: cleaning up. Once more to leave everything as it is.');
      controller.abort(new Error('interrupted'));
    });
  }
  return controller.signal;
}

try {
  process.exit(await main());
} catch (error) {
  progress.say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
