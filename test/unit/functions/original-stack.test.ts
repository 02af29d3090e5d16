import { describe, expect, it } from '@jest/globals';
import { runBundled } from '../../support/service/bundled.ts';

const LOGS = `import { createLogger } from '/functions/logger.ts';
const { logger } = createLogger('example');
function fails(): never {
  throw new Error('outer', { cause: new TypeError('inner') });
}
try {
  fails();
} catch (error) {
  logger.error('it failed', { error });
}`;

describe('an error in the log of a bundled function', () => {
  it('The error and its cause have stacks of places in the sources', async () => {
    const { error } = JSON.parse(await runBundled(LOGS));
    expect(error).toMatchObject({ name: 'Error', message: 'outer', cause: { name: 'TypeError' } });
    for (const { stack } of [error, error.cause]) {
      expect(stack).toMatch(/program\.ts:4:\d+\)?\n.*program\.ts:7:/);
      expect(stack).not.toContain('index.mjs');
    }
  });

  it('The error keeps its stack if the source map is missing', async () => {
    const code = `import { rmSync } from 'node:fs';
rmSync(new URL('index.mjs.map', import.meta.url));
${LOGS}`;
    const { error } = JSON.parse(await runBundled(code));
    expect(error.stack).toMatch(/^Error: outer\n {4}at .*index\.mjs:\d+:\d+/);
  });
});
