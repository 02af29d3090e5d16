import { join } from 'node:path';
import { type Run, run } from './run-cli.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs `npm run demo -- …`, as a user types it. */
export const demo = (...parameters: string[]): Promise<Run> =>
  run('npm', ['run', '--silent', 'demo', '--', ...parameters], { cwd: ROOT });
