/**
 * `npm run test:engines`: the tests of the store and of the watch once more, on other engines than the embedded
 * ones: on DynamoDB Local, which is AWS' own, and on ElasticMQ. Arguments are jest's; they may name other tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../infra/bundle/index.ts';
import { startEngines } from './start-engines.ts';

const TESTS = ['test/integration/store', 'test/integration/watch'];

async function main(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'winnow-engines-'));
  try {
    const { variables, stop } = await startEngines(directory);
    console.log(`On ${Object.values(variables).join(' (DynamoDB Local) and ')} (ElasticMQ)`);
    try {
      return await test(variables);
    } finally {
      await stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs them as `npm test` does. A Ctrl-C ends jest, and so this. */
async function test(variables: Readonly<Record<string, string>>): Promise<number> {
  const given = process.argv.slice(2);
  const tests = given.some((argument) => argument.startsWith('test/')) ? [] : TESTS;
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...tests, ...given];
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...node, ...jest], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'close');
  return code ?? 1;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
