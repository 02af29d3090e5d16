import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import type { Cluster } from '../harness/start-cluster.ts';
import { type RunOptions, runSuite } from './run-suite.ts';

/** The text that the names of tests must contain; all tests if it is empty. */
const { E2E_FOCUS = '' } = process.env;
const isWanted = (name: string) => name.includes(E2E_FOCUS);

/** The tests that fail on Winnow, with the reasons. */
export type Exceptions = Readonly<Record<string, string>>;

/** The reason of several tests that fail on Winnow, and their names. */
export type Reason = readonly [reason: string, names: readonly string[]];

export interface CheckOptions
  extends Pick<RunOptions, 'suite' | 'processes' | 'timeout' | 'serviceAccounts'> {
  /** The file with the whole names of the tests, one a line. */
  readonly list: string;
  readonly exceptions: Exceptions;
  /** The name of the folder in `dist/conformance` for the log and the report. */
  readonly folder: string;
}

export function exceptionsOf(reasons: readonly Reason[]): Exceptions {
  return Object.fromEntries(reasons.flatMap(([reason, names]) => names.map((name) => [name, reason])));
}

/**
 * Runs the listed tests, and expects that exactly the exceptions fail. Prints each other failure.
 * With E2E_FOCUS, runs only the tests with this text in their names.
 */
export async function checkSuite(
  { kubeconfig, kubectl }: Pick<Cluster, 'kubeconfig' | 'kubectl'>,
  { list, exceptions, folder, ...options }: CheckOptions,
): Promise<void> {
  const names = readFileSync(list, 'utf8').trim().split('\n').filter(isWanted);
  const path = join(root, 'dist/conformance', folder);
  await mkdir(path, { recursive: true });
  const outcomes = await runSuite({ ...options, names, kubeconfig, kubectl: kubectl.path, folder: path });
  const failed = names.filter((name) => outcomes.get(name)?.state !== 'passed').sort();
  console.log(`${names.length - failed.length} of ${names.length} tests passed; the log is ${path}/log`);
  for (const name of failed.filter((each) => !Object.hasOwn(exceptions, each))) {
    const { state, message } = outcomes.get(name) ?? { state: 'not run', message: '' };
    console.log(`${state}: ${name}\n    ${message.slice(0, 1_000)}`);
  }
  expect(failed).toEqual(Object.keys(exceptions).filter(isWanted).sort());
}
