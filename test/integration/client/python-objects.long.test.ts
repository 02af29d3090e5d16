import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../../infra/bundle/index.ts';
import { eventually } from '../../support/eventually.ts';
import { exampleLanguages, python } from '../../support/example-languages.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { run } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';
import { type FleetService, startFleetService } from '../objects/fleet-service.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const client = join(root, 'lib/client/python');
const missing = exampleLanguages.find(({ language }) => language === 'Python')?.missing;
const test = missing === undefined ? it : it.skip;
const because = missing === undefined ? '' : ` (skipped: ${missing})`;

let fleet: FleetService;
let servers: Servers;
/** Another server with devices, as if the first had begun anew. It needs a process of its own. */
let empty: HttpClient;

beforeAll(async () => {
  servers = await Servers.open();
  empty = (await servers.start(servers.within('empty'))).http;
  // It sets variables that the other server would read.
  fleet = await startFleetService();
  await empty.post(DEFINITIONS, parse(readFileSync(join(root, 'examples/device-definition.yaml'), 'utf8')));
  await eventually('devices are served', () =>
    empty.get('/apis/fleet.example/v1/devices').catch(() => undefined),
  );
});

afterAll(async () => {
  await servers.close();
  await fleet?.stop();
});

const runPython = (...args: readonly string[]) =>
  run(python, [...args], {
    env: {
      ...process.env,
      PYTHONPATH: join(client, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      WINNOW_URL: fleet.service.winnow.url,
      WINNOW_EMPTY_URL: empty.url,
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
