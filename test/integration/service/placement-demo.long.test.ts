import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { run } from '../../support/service/run-cli.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('npm run demo -- --placement shows the examples of a page and errands on robots, and every response is right', async () => {
  const { code, out } = await run('npm', ['run', '--silent', 'demo', '--', '--placement'], { cwd: ROOT });
  expect([code, out.match(/WRONG/g)]).toEqual([0, null]);
  expect(out).toContain('Every answer was correct');
});
