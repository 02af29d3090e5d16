import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, metadataOf, objectAt } from '../../lib/json/index.ts';
import type { Connection } from '../connection/index.ts';
import { type Chance, chanceOf } from './chance.ts';
import { DEVICES, FIRMWARE } from './devices.ts';
import { pathOf, SAMPLE } from './sample-object.ts';
import { samplePod, suffix } from './workloads.ts';

/** The time between two changes, in ms. */
const PAUSE = 1_500;
/** The share of devices that may be offline at once. */
const MOST_OFFLINE = 0.08;
/** The changes that may fail one after the other. */
const MOST_FAILURES = 10;
const PODS = ['shop', 'billing', 'search'].map((namespace) => `/api/v1/namespaces/${namespace}/pods`);

interface ChangeOptions {
  readonly signal: AbortSignal;
  /** The time between two changes, in ms; 1,500 by default. */
  readonly pause?: number;
}

/**
 * Changes the sample inventory slowly until the signal aborts: devices lose and regain their connection, get new firmware,
 * and move to another environment; pods are replaced. Objects of the user stay as they are. A failed change is skipped,
 * since the user may have deleted the object. Rejects if many changes fail one after the other.
 */
export async function changeSample(
  connection: Connection,
  { signal, pause = PAUSE }: ChangeOptions,
): Promise<void> {
  // Another start makes other changes.
  const chance = chanceOf(Date.now());
  const changes = [changeConnectivity, changeConnectivity, upgrade, upgrade, promote, replacePod];
  for (let failures = 0; !signal.aborted; ) {
    try {
      await sleep(pause, undefined, { signal });
      await chance.pick(changes)(connection, chance);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === MOST_FAILURES && !signal.aborted) throw error;
    }
  }
}

type Change = (connection: Connection, chance: Chance) => Promise<void>;

/** Connects an offline device, or disconnects another one. */
const changeConnectivity: Change = async (connection, chance) => {
  const devices = await list(connection, DEVICES);
  const offline = devices.filter((device) => labelsOf(device).connectivity === 'offline');
  const isMany = offline.length > devices.length * MOST_OFFLINE;
  const connects = offline.length > 0 && (isMany || chance.next() < 0.5);
  const others = devices.filter((device) => labelsOf(device).connectivity !== 'offline');
  await relabel(connection, chance.pick(connects ? offline : others), {
    connectivity: connects ? 'online' : 'offline',
  });
};

/** Gives a device the next firmware. The devices of the ring `canary` get it first. */
const upgrade: Change = async (connection, chance) => {
  const devices = await list(connection, DEVICES);
  const newest = FIRMWARE.at(-1) ?? '';
  const old = devices.filter((device) => labelsOf(device).firmware !== newest);
  const rings = ['canary', 'early', 'stable'];
  const ring = rings.find((one) => old.some((device) => labelsOf(device).ring === one));
  const next = old.filter((device) => labelsOf(device).ring === ring);
  // Every device has the newest firmware: one goes back, so that the set keeps changing.
  if (next.length === 0) return relabel(connection, chance.pick(devices), { firmware: FIRMWARE[0] });
  await relabel(connection, chance.pick(next), { firmware: newest });
};

/** Moves a device to another environment. */
const promote: Change = async (connection, chance) => {
  const device = chance.pick(await list(connection, DEVICES));
  const environments = ['production', 'qa', 'dev'].filter((one) => one !== labelsOf(device).environment);
  await relabel(connection, device, { environment: chance.pick(environments) });
};

/** Replaces a pod by another one of the same ReplicaSet. */
const replacePod: Change = async (connection, chance) => {
  const pods = await list(connection, chance.pick(PODS));
  const pod = chance.pick(pods);
  if (pod === undefined) return;
  const { namespace, name, ownerReferences } = metadataOf(pod);
  const [owner] = Array.isArray(ownerReferences) ? ownerReferences : [];
  const { name: set = '', uid = '' } = objectAt(owner);
  const { version: _former, ...labels } = labelsOf(pod);
  const next = samplePod(chance, {
    namespace: String(namespace),
    name: `${set}-${suffix(chance, 5)}`,
    labels,
    owner: { name: String(set), uid: String(uid) },
  });
  // A failure in between leaves one pod more, and the next start creates none.
  await connection.ask('POST', next.collection, { body: next.body });
  await connection.merge(`${pathOf(next)}/status`, { status: next.status ?? {} });
  await connection.ask('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`);
};

/** Lists the objects of the sample inventory. */
async function list(connection: Connection, collection: string): Promise<readonly JsonObject[]> {
  const { items = [] } = await connection.ask('GET', `${collection}?labelSelector=${SAMPLE}`);
  return items;
}

async function relabel(
  connection: Connection,
  object: JsonObject | undefined,
  labels: JsonObject,
): Promise<void> {
  if (object === undefined) return;
  await connection.merge(`${DEVICES}/${metadataOf(object).name}`, { metadata: { labels } });
}

const labelsOf = (object: JsonObject) => objectAt(metadataOf(object).labels) as Record<string, string>;
