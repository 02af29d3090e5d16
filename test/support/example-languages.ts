import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../infra/bundle/index.ts';
import { run } from './service/run-cli.ts';
import type { Service } from './service/service.ts';

/** A language in which `examples/` has the consumers. */
export interface ExampleLanguage {
  readonly language: string;
  /** What is missing on this machine to run them; undefined if nothing is. */
  readonly missing: string | undefined;
  /** Runs the long poll: its one parameter is the queue's URL. */
  readonly longPoll: readonly string[];
  /** Hands the handler the event on standard input, and prints what it answers. */
  readonly lambda: readonly string[];
}

const examples = join(root, 'examples');
/** The Python program to use. */
export const python = process.env.PYTHON ?? 'python3';

const CALL_TYPESCRIPT = `
  import { json } from 'node:stream/consumers';
  import { handler } from '${examples}/typescript/lambda.ts';
  console.log(JSON.stringify(await handler(await json(process.stdin))));`;

const CALL_PYTHON = `
import json, sys
sys.path.insert(0, "${examples}/python")
from lambda_function import lambda_handler
print(json.dumps(lambda_handler(json.load(sys.stdin), None)))`;

export const exampleLanguages: readonly ExampleLanguage[] = [
  {
    language: 'TypeScript',
    missing: undefined,
    longPoll: [process.execPath, `${examples}/typescript/long-poll.ts`],
    lambda: [process.execPath, '--input-type=module', '--eval', CALL_TYPESCRIPT],
  },
  {
    language: 'Python',
    missing: await missingForPython(),
    longPoll: [python, `${examples}/python/long_poll.py`],
    lambda: [python, '-c', CALL_PYTHON],
  },
];

/** The variable PYTHON names the program to use. */
async function missingForPython(): Promise<string | undefined> {
  const probe = await run(python, ['-c', 'import boto3']).catch((error: Error) => error);
  if (probe instanceof Error) return `there is no ${python}`;
  return probe.code === 0 ? undefined : `${python} has no boto3`;
}

/** The environment in which an SDK of AWS, of whatever language, reaches the emulators of a service. */
export function awsEnvironment({ winnow }: Service): NodeJS.ProcessEnv {
  return {
    ...process.env,
    AWS_REGION: winnow.sqsClientConfig.region,
    AWS_DEFAULT_REGION: winnow.sqsClientConfig.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: winnow.awsEndpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: winnow.awsEndpoints.dynamodb,
  };
}

/** Starts a program; what it prints so far is in `lines`. */
export function startProgram(command: readonly string[], env: NodeJS.ProcessEnv) {
  const [file = '', ...parameters] = command;
  const child = spawn(file, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { out: '', errors: '' };
  child.stdout.on('data', (data) => {
    printed.out += data;
  });
  child.stderr.on('data', (data) => {
    printed.errors += data;
  });
  return {
    lines: (): readonly string[] => printed.out.split('\n').slice(0, -1),
    errors: () => printed.errors,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Interrupts as Ctrl-C does; resolves to the exit code. */
    interrupt: async () => {
      const ended = once(child, 'close');
      child.kill('SIGINT');
      const [code] = await ended;
      return code;
    },
    stop: async () => {
      const ended = once(child, 'close');
      if (child.exitCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program to its end with something on its standard input, and resolves to what it prints. */
export async function feed(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string,
): Promise<string> {
  const [file = '', ...parameters] = command;
  const child = spawn(file, parameters, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${errors}`);
  return out;
}
