import { install } from '@winnow-dev/client/definition';
import { AlreadyExistsError, connect } from '@winnow-dev/client/objects';
import { Device } from './kinds.ts';

const winnow = connect({ url: process.argv[2] ?? 'http://127.0.0.1:8080', manager: 'fill' });
await install(winnow, Device);
const devices = winnow.objects(Device, { namespace: 'default' });

for (const [index, site] of ['north', 'south', 'east', 'west'].entries()) {
  for (const model of ['c2', 't1', 'g9']) {
    const connectivity = index === 1 && model === 't1' ? 'offline' : 'online';
    const labels = { site, connectivity, environment: 'production' };
    // A device that is there stays as it is.
    await devices
      .create({ metadata: { name: `${model}-${site}`, labels }, spec: { model } })
      .catch((error) => {
        if (!(error instanceof AlreadyExistsError)) throw error;
      });
  }
}
console.log(`${(await devices.list().toArray()).length} devices`);
