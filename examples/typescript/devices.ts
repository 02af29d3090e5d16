import { absent, connect, type Kind, NotFoundError, resource } from '@winnow-dev/client/objects';

interface Spec {
  model: string;
  state: 'active' | 'retired';
}
// The object as the server returns it, as a program writes it (state has a default), and the fields to select by.
type Device = Kind<{ spec: Spec }, { spec: Partial<Spec> & Pick<Spec, 'model'> }, 'spec.state'>;

const winnow = connect({ url: process.argv[2] }); // http://127.0.0.1:8080
const devices = winnow.objects(resource<Device>('fleet.example/v1', 'devices'), { namespace: 'default' });

await devices.create({ metadata: { name: 'cam-1', labels: { site: 'north' } }, spec: { model: 'x2' } });
await devices.apply({ metadata: { name: 'cam-2', labels: { site: 'south' } }, spec: { model: 'x3' } });
await devices.update('cam-2', (device) => {
  device.spec.state = 'retired';
});
const selector = { site: ['north', 'south'], canary: absent };
for await (const { metadata, spec } of devices.list(selector)) {
  console.log(metadata.name, spec.model, spec.state);
}

const live = devices.live(selector);
live.on('add', ({ metadata }) => console.log('entered', metadata.name));
live.on('delete', async ({ metadata }) => {
  console.log('left', metadata.name);
  await live.stop();
});
await live.ready;
console.log('complete:', live.count);
const [active] = await devices.list('', { fields: { 'spec.state': 'active' } }).toArray();
if (active !== undefined) await devices.delete(active.metadata);
await devices.get('cam-1').catch((error) => {
  if (!(error instanceof NotFoundError)) throw error;
});
