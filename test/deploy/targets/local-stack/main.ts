/** `npm run localstack`: runs the LocalStack of `npm run test:deploy -- --target localstack` until Ctrl-C. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalStack } from './start-local-stack.ts';

/** LocalStack's own, unless PORT names another. */
const PORT = 4566;

const ended = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.resolve());

const directory = await mkdtemp(join(tmpdir(), 'winnow-localstack-'));
try {
  console.log('Installing what is missing, and starting…');
  const { name, variables, stop } = await startLocalStack(directory, Number(process.env.PORT ?? PORT));
  try {
    console.log(`${name} is ready. In another terminal:\n`);
    for (const [variable, value] of Object.entries(variables)) {
      console.log(value === undefined ? `unset ${variable}` : `export ${variable}=${value}`);
    }
    console.log('\nCtrl-C ends it, with everything in it.');
    await ended.promise;
  } finally {
    await stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
process.exit();
