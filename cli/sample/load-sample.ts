import { setTimeout as sleep } from 'node:timers/promises';
import { metadataOf, objectAt } from '../../lib/json/index.ts';
import type { Connection, Reply } from '../connection/index.ts';
import { chanceOf } from './chance.ts';
import { DEVICES, deviceDefinition, sampleDevices } from './devices.ts';
import { pathOf, SAMPLE, type SampleObject } from './sample-object.ts';
import { sampleFrame, sampleNamespaces, sampleWorkloads } from './workloads.ts';

/** The requests that are open at once. */
const AT_ONCE = 16;
const SEED = 1;
/** A new definition is served after a second at most; more on a busy machine. */
const SERVED_TRIES = 100;
const SERVED_PAUSE = 200;

const RESOURCE = { group: 'fleet.example', resource: 'devices' };
const WINNOW = '/apis/winnow.dev/v1/namespaces';

/** The Subscription and the Tallies of the inventory. */
const sampleSets: readonly SampleObject[] = [
  {
    collection: `${WINNOW}/default/subscriptions`,
    body: {
      metadata: { name: 'offline-in-production' },
      spec: {
        resource: RESOURCE,
        labelSelector: 'connectivity=offline,environment=production',
        start: 'snapshot',
      },
    },
  },
  {
    collection: `${WINNOW}/default/tallies`,
    body: {
      metadata: { name: 'online-by-site' },
      spec: { resource: RESOURCE, labelSelector: 'connectivity=online', groupBy: ['site'] },
    },
  },
  {
    collection: `${WINNOW}/shop/tallies`,
    body: {
      metadata: { name: 'web-ready' },
      spec: {
        resource: { resource: 'pods' },
        labelSelector: 'app=web,environment=production',
        fieldSelector: 'Ready=True',
        bounds: { min: 10 },
      },
    },
  },
];

/**
 * Creates the sample inventory: devices, pods with their owners, Services, a Subscription and Tallies. Objects that exist
 * stay as they are. Returns the number of created objects.
 */
export async function loadSample(connection: Connection): Promise<number> {
  const chance = chanceOf(SEED);
  const loader = new Loader(connection);
  await loader.createAll([deviceDefinition, ...sampleNamespaces()]);
  await loader.createAll(sampleFrame());
  await loader.untilServed(DEVICES);
  const devices = sampleDevices(chance);
  const workloads = sampleWorkloads(chance);
  await loader.createAll(devices);
  const deployments = await loader.createAll(workloads.map(({ deployment }) => deployment));
  const sets = await loader.createAll(
    workloads.map(({ replicaSet }, at) => replicaSet(deployments[at] ?? '')),
  );
  const present = await loader.podsByOwner();
  const pods = workloads.flatMap(({ pods: all }, at) => {
    const set = sets[at] ?? '';
    return all(set).slice(present.get(set) ?? 0);
  });
  await loader.createAll(pods);
  await loader.createAll(sampleSets);
  return loader.created;
}

class Loader {
  created = 0;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates the object, with its status. Returns the uid of the object, which may have existed before. */
  async #create(object: SampleObject): Promise<string> {
    const { collection, body, status } = object;
    const reply = await this.#connection.send('POST', collection, { body });
    if (reply.status === 409) {
      return String(metadataOf(await this.#connection.ask('GET', pathOf(object))).uid);
    }
    if (reply.status >= 400 || reply.body === undefined) throw failure(`POST ${collection}`, reply);
    if (status !== undefined) await this.#connection.merge(`${pathOf(object)}/status`, { status });
    this.created += 1;
    return String(metadataOf(reply.body).uid);
  }

  /** The number of pods of each ReplicaSet, by its uid. An earlier start created them, and may have replaced some. */
  async podsByOwner(): Promise<ReadonlyMap<string, number>> {
    const { items = [] } = await this.#connection.ask('GET', `/api/v1/pods?labelSelector=${SAMPLE}`);
    const counts = new Map<string, number>();
    for (const pod of items) {
      const { ownerReferences } = metadataOf(pod);
      for (const reference of Array.isArray(ownerReferences) ? ownerReferences : []) {
        const owner = String(objectAt(reference).uid);
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Waits until the server serves a collection whose definition was just created. */
  async untilServed(collection: string): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.#connection.send('GET', `${collection}?limit=1`);
      if (reply.status < 400) return;
      if (tries === SERVED_TRIES) throw failure(`GET ${collection}`, reply);
      await sleep(SERVED_PAUSE);
    }
  }

  /** Creates objects side by side. Returns their uids, in order. */
  async createAll(objects: readonly SampleObject[]): Promise<readonly string[]> {
    const uids: string[] = [];
    const left = [...objects.entries()];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [at, object] = next;
        uids[at] = await this.#create(object);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return uids;
  }
}

function failure(request: string, { status, text, body }: Reply): Error {
  return new Error(`The sample inventory is incomplete: ${request}: ${status} ${body?.message ?? text}`);
}
