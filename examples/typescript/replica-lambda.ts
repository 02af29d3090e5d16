import { Replica } from '@winnow-dev/client';
import { createDynamodbStore } from '@winnow-dev/client/dynamodb';

const store = createDynamodbStore({ table: process.env.TABLE ?? 'inventory', name: 'north' });
const set = new Replica({ store });
set.on('add', ({ metadata }) => console.log('entered', metadata.name));
set.on('delete', ({ metadata }) => console.log('left', metadata.name));
export const handler = set.handle;
