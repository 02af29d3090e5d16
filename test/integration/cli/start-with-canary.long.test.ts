import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { Servers } from '../../support/service/start-cli.ts';

const BEHIND = '/apis/winnow.dev/v1/namespaces/kube-system';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

/** Runs a server until its canary's Subscription is synced. Returns its output and the label of the canary object. */
async function run(...more: readonly string[]): Promise<{ said: string; beat: string | undefined }> {
  const { child, http } = await servers.start(servers.within('data'), ...more);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (said += text));
  const { body } = await http.get(`${BEHIND}/canaries/canary`);
  await eventually('it is synced', async () => {
    const { status } = (await http.get(`${BEHIND}/subscriptions/canary`)).body;
    return (status as { phase?: string } | undefined)?.phase === 'Synced';
  });
  child.kill('SIGINT');
  await once(child, 'exit');
  return { said, beat: body.metadata.labels?.['winnow.dev/beat'] };
}

it('winnow start --canary beats at once, and does not report a queue of an earlier run as lost', async () => {
  const first = await run('--canary');
  const second = await run('--canary');
  expect(Number(second.beat)).toBeGreaterThan(Number(first.beat));
  expect(`${first.said}${second.said}`).not.toContain('the canary failed');
});

it('winnow start without --canary creates no canary', async () => {
  const { http } = await servers.start(servers.within('other'));
  expect((await http.send('GET', `${BEHIND}/canaries/canary`)).status).toBe(404);
  expect((await http.send('GET', `${BEHIND}/subscriptions/canary`)).status).toBe(404);
});
