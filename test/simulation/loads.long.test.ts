import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ACCESS_SCENARIOS } from './scenarios/access.ts';
import { CLAIM_SCENARIOS } from './scenarios/claims.ts';
import { SERVING_SCENARIOS } from './scenarios/deriving.ts';
import { KIND_SCENARIOS } from './scenarios/kinds.ts';
import { PLACEMENT_SCENARIOS } from './scenarios/placements.ts';

const main = join(import.meta.dirname, 'main.ts');
const run = promisify(execFile);

describe('A run of the whole API', () => {
  it.each([
    ...KIND_SCENARIOS,
    ...CLAIM_SCENARIOS,
    ...PLACEMENT_SCENARIOS.slice(0, 1),
    ...SERVING_SCENARIOS.slice(0, 1),
    ...ACCESS_SCENARIOS.slice(0, 1),
  ])(
    'A run loads no module after its start, so that a busy machine cannot change it: $name',
    async ({ name }) => {
      const asked = [main, '--scenario', name, '--seeds', '3', '--quiet'];
      expect(await run(process.execPath, asked)).toEqual({ stdout: '', stderr: '' });
    },
  );
});
