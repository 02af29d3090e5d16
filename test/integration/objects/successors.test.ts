import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConflictError, NotFoundError } from '../../../lib/client/objects/index.ts';
import { Device } from '../../unit/client/objects/fleet.ts';
import { type FleetService, startFleetService } from './fleet-service.ts';

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterAll(() => fleet.stop());

const device = { metadata: { name: 'cam' }, spec: { model: 'x2' } };
const failure = (request: Promise<unknown>) => request.then(() => undefined).catch((error) => error);
const devices = () => fleet.direct.objects(Device, { namespace: 'default' });

it('A write to the metadata of a deleted object does not change its successor', async () => {
  const { metadata: old } = await devices().create(device);
  await devices().delete(old);
  const missing = await failure(devices().update(old, () => {}));
  expect(missing).toBeInstanceOf(NotFoundError);
  const successor = await devices().create(device);
  let calls = 0;
  const writes = [
    devices().update(old, () => {
      calls += 1;
    }),
    devices().updateStatus(old, () => {
      calls += 1;
    }),
    devices().patch(old, { spec: { model: 'x3' } }),
    devices().relabel(old, { site: 'north' }),
    devices().delete(old),
  ];
  for (const write of writes) expect(await failure(write)).toBeInstanceOf(ConflictError);
  expect(calls).toBe(0);
  expect(await devices().get('cam')).toEqual(successor);
  await devices().delete(successor.metadata);
});

it('A successor that comes within an update is not changed, whatever the function returns', async () => {
  const { metadata: old } = await devices().create(device);
  const error = await failure(
    devices().update(old, async (object) => {
      await devices().delete(old);
      await devices().create(device);
      const { resourceVersion: _old, ...metadata } = object.metadata;
      return {
        ...object,
        metadata: metadata as typeof object.metadata,
        spec: { model: 'x3', state: 'active' },
      };
    }),
  );
  expect(error).toBeInstanceOf(ConflictError);
  expect((await devices().get('cam')).spec.model).toBe('x2');
  await devices().delete('cam');
});
