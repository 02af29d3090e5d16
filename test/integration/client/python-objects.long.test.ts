import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { exampleLanguages, python } from '../../support/example-languages.ts';
import { run } from '../../support/service/run-cli.ts';
import { type FleetService, startFleetService } from '../objects/fleet-service.ts';

const client = join(root, 'lib/client/python');
const missing = exampleLanguages.find(({ language }) => language === 'Python')?.missing;
const test = missing === undefined ? it : it.skip;
const because = missing === undefined ? '' : ` (skipped: ${missing})`;

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterAll(() => fleet.stop());

const runPython = (...args: readonly string[]) =>
  run(python, [...args], {
    env: {
      ...process.env,
      PYTHONPATH: join(client, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      WINNOW_URL: fleet.service.winnow.url,
    },
  });

describe('the typed client in Python', () => {
  test(`its tests with a real service pass${because}`, async () => {
    const { code, errors } = await runPython(join(import.meta.dirname, 'python/with_a_service.py'));
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining('OK') });
  });

  test(`the example on its page prints the devices and the changes${because}`, async () => {
    const example = join(root, 'examples/python/devices.py');
    const page = readFileSync(join(client, 'README.md'), 'utf8');
    expect(page).toContain(`\`\`\`python\n${readFileSync(example, 'utf8')}\`\`\`\n`);
    const { out, errors, code } = await runPython(example, fleet.service.winnow.url);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.trim().split('\n')).toEqual([
      'entered cam-1',
      'entered cam-2',
      'cam-1 active',
      'cam-2 retired',
      'left cam-1',
    ]);
  });
});
