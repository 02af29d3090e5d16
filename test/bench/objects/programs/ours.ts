import { connect, type Kind, resource } from '../../../../lib/client/objects/index.ts';

type Device = Kind<{ spec: { model: string } }>;

const [namespace, count] = [process.argv[2], Number(process.argv[3])];
const devices = connect().objects(resource<Device>('fleet.example/v1', 'devices'), { namespace });
for (let index = 0; index < count; index++) {
  const metadata = { name: `cam-${index}`, labels: { site: 'north' } };
  await devices.create({ metadata, spec: { model: 'x1' } });
}
console.log('listed', (await devices.list('site=north').toArray()).length);
const live = devices.live('site=north');
let changed = 0;
live.on('update', async ({ spec }) => {
  if (spec.model === 'x2' && ++changed === count) await live.stop();
});
await live.ready;
console.log('ready', live.count);
