import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../infra/bundle/index.ts';
import { type FleetService, startFleetService } from '../integration/objects/fleet-service.ts';
import { eventually } from '../support/eventually.ts';
import { startProgram } from '../support/example-languages.ts';
import { Device } from '../unit/client/objects/fleet.ts';
import { closeBrowser, openPage } from './browser.ts';

let fleet: FleetService;
let server: ReturnType<typeof startProgram>;
let url: string;

beforeAll(async () => {
  fleet = await startFleetService();
  const command = [
    process.execPath,
    join(root, 'examples/device-fleet/serve.ts'),
    fleet.service.winnow.url,
    '0',
  ];
  server = startProgram(command, process.env);
  url = await eventually('the server says where it is', () => {
    expect(server.errors()).toBe('');
    return server.lines()[0];
  });
});

afterAll(async () => {
  await closeBrowser();
  await server?.stop();
  await fleet?.stop();
});

it('Two pages of the fleet show the same set, and one shows what the other changes', async () => {
  const devices = fleet.direct.objects(Device, { namespace: 'default' });
  for (const [name, connectivity] of [
    ['c2-north', 'online'],
    ['t1-north', 'offline'],
  ] as const) {
    await devices.create({
      metadata: { name, labels: { site: 'north', connectivity } },
      spec: { model: 'c2' },
    });
  }
  const [one, other] = [await openPage(url), await openPage(url)];
  const shows = (page: typeof one, text: string) =>
    eventually(`the page shows ${text}`, async () =>
      (await page.page.locator('main').innerText()).includes(text),
    );
  await shows(one, '2 devices, live');
  await other.page.getByRole('button', { name: 'Offline', exact: true }).click();
  await shows(other, '1 device, live');
  await one.page.locator('tr', { hasText: 'c2-north' }).getByRole('button').click();
  await shows(other, '2 devices, live');
  await one.page.locator('tr', { hasText: 't1-north' }).getByRole('button').click();
  await eventually('the device has left the other page', async () => {
    const text = await other.page.locator('tbody').innerText();
    return text.includes('c2-north') && !text.includes('t1-north');
  });
  expect([...one.problems, ...other.problems]).toEqual([]);
});
