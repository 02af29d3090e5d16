import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeInformer } from '@kubernetes/client-node';
import { eventually } from '../../support/eventually.ts';
import { type Connection, connect } from './connect.ts';
import { Pods } from './pods.ts';

let connection: Connection;

beforeAll(async () => {
  connection = await connect({ streaming: false });
});

afterAll(() => connection.stop());

it('an informer follows a deployment that cannot stream by repeated long polls', async () => {
  const pods = new Pods(connection.config);
  const informer = makeInformer(connection.config, Pods.path, () => pods.list('tier=web'), 'tier=web');
  const told: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata }) => told.push(`${verb} ${metadata?.name}`));
  }
  informer.on('error', (error) => told.push(`error ${error}`));
  // The promise resolves only after the first watch has answered.
  const started = informer.start();
  const tells = async (...expected: string[]) => {
    await eventually(`${expected}, not only ${told}`, () => told.length >= expected.length);
    expect(told).toEqual(expected);
  };
  await pods.create('web', { tier: 'web' });
  await tells('add web');
  await pods.label('web', { color: 'red' });
  await tells('add web', 'update web');
  await pods.label('web', { tier: 'cache' });
  await tells('add web', 'update web', 'delete web');
  await started;
  await informer.stop();
});
