import { Replica } from '@winnow-dev/client';
import { createDynamodbStore } from '@winnow-dev/client/dynamodb';
import type { BodyOf, Stored } from '@winnow-dev/client/objects';
import type { Device } from './kinds.ts';

const store = createDynamodbStore({ table: process.env.TABLE ?? 'fleet', name: 'offline-in-production' });
const offline = new Replica<Stored<BodyOf<typeof Device>>>({ store });

// A listener hears each change at least once.
offline.on('add', ({ metadata, spec }) => {
  console.log(`alert: ${metadata.name} (${spec.model}) in ${metadata.labels?.site} is offline`);
});
offline.on('delete', ({ metadata }) => console.log(`all clear: ${metadata.name}`));

/** The handler of the Lambda function. */
export const handler = offline.handle;
