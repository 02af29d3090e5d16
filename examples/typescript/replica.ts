import { httpSubscription, Replica } from '@winnow-dev/client';

const [server = '', name = ''] = process.argv.slice(2); // http://127.0.0.1:8080 north
const set = new Replica(httpSubscription({ server, name }));
set.on('add', ({ metadata }) => console.log('entered', metadata.name));
set.on('update', ({ metadata }) => console.log('changed', metadata.name));
set.on('delete', ({ metadata }) => console.log('left', metadata.name));
set.on('synced', () => console.log('the set is complete'));
process.on('SIGINT', () => set.stop());
await set.run();
