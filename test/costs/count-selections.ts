import { randomUUID } from 'node:crypto';
import type { Labels } from '../../lib/selectors/index.ts';
import { startTable } from '../support/store/table.ts';
import type { RequestCounts } from './count-requests.ts';
import { type CountedClient, openClient } from './counted-client.ts';
import { createCounter } from './counting.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const PODS = '/api/v1/namespaces/default/pods';
const REVIEWS = '/apis/winnow.dev/v1/selectionreviews';
const MERGE = 'application/merge-patch+json';
const LABELS = { app: 'web', tier: 'front', env: 'prod', team: 'a' };
/** Services that select something else than what is asked of. */
const OTHERS = 20;

/** What it costs to write what selects, a Service, and to ask who selects. Counted as `countRequests` counts. */
export async function countSelections(): Promise<RequestCounts> {
  const { table, stop } = await startTable();
  try {
    const client = openClient(createCounter(), table);
    await client.prepare();
    await client.ask('POST', SERVICES, serviceOf('first', { app: 'first' }));
    for (let index = 0; index < OTHERS; index += 1) {
      await client.ask('POST', SERVICES, serviceOf(`other-${index}`, { app: `other-${index}` }));
    }
    return { ...(await countWrites(client)), ...(await countReads(client)) };
  } finally {
    await stop();
  }
}

async function countWrites(client: CountedClient): Promise<RequestCounts> {
  const selecting = async (name: string, selector: Labels) =>
    client.count('POST', SERVICES, serviceOf(name, selector));
  const patch = async (name: string, body: Parameters<CountedClient['ask']>[2]) => {
    // Who owns what since when is told in seconds: each change is of another one.
    client.later();
    // The first write of a minute also notes that the process writes.
    await client.ask(
      'PATCH',
      `${SERVICES}/first`,
      { metadata: { annotations: { later: randomUUID() } } },
      MERGE,
    );
    return client.count('PATCH', `${SERVICES}/${name}`, body, MERGE);
  };
  return {
    'create a Service without a selector': await selecting('none', {}),
    'one that selects by a label': await selecting('one', { app: 'web' }),
    'one that selects by two': await selecting('two', { app: 'web', tier: 'front' }),
    'change another field of it': await patch('two', { spec: { publishNotReadyAddresses: true } }),
    'change its selector': await patch('two', { spec: { selector: { tier: 'back' } } }),
    'delete it': await client.count('DELETE', `${SERVICES}/two`),
  };
}

async function countReads(client: CountedClient): Promise<RequestCounts> {
  const pod = {
    metadata: { name: 'web-1', labels: LABELS },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  await client.ask('POST', PODS, pod);
  client.later();
  const spec = { resource: { resource: 'pods' }, namespace: 'default', labels: LABELS };
  const members = `${SERVICES}/one/selected`;
  // An answer before, as `countRequests` has it. The first review of a process reads the roles.
  await client.ask('GET', members);
  await client.ask('POST', REVIEWS, { spec });
  return {
    'selectedby, of an object with 4 labels': await client.count('GET', `${PODS}/web-1/selectedby`),
    'a SelectionReview of 4 labels': await client.count('POST', REVIEWS, { spec }),
    'selected, one member': await client.count('GET', members),
  };
}

function serviceOf(name: string, selector: Labels) {
  return { metadata: { name }, spec: { clusterIP: 'None', selector, ports: [{ port: 80 }] } };
}
