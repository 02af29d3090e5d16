/** A program that writes objects and follows them with the installed typed client. It says beside each line what it prints. */
export const OBJECTS = `
import { connect, type Kind, NotFoundError, resource, UnavailableError } from '@winnow-dev/client/objects';
type ConfigMap = Kind<{ data?: Record<string, string> }>;
const kind = resource<ConfigMap>('v1', 'configmaps');
const maps = connect().objects(kind, { namespace: 'default' });
const live = maps.live({ app: ['nodes'] });
const left = new Promise<string>((resolve) => live.on('delete', ({ metadata }) => resolve(metadata.name)));
await live.ready;
const { metadata } = await maps.create({ metadata: { name: 'a', labels: { app: 'nodes' } }, data: { a: 'b' } });
for await (const { data } of maps.list('app=nodes')) console.log(data?.a); // b
await maps.delete(metadata);
console.log(await left); // a
console.log(await maps.get('a').catch((error) => error instanceof NotFoundError)); // true
await live.stop();
const nowhere = connect({ url: 'http://127.0.0.1:2', deadline: 1_000 }).objects({ ...kind, kind: 'ConfigMap' });
const refused = await nowhere.create({ metadata: { name: 'b', namespace: 'default' } }).catch((error) => error);
console.log(refused instanceof UnavailableError || refused); // true
`;

export const OBJECTS_PRINTS = ['b', 'a', 'true', 'true'];
