import type { JsonObject } from '../../../lib/json/index.ts';
import { Servers } from '../../support/service/start-cli.ts';
import { atExit } from '../at-exit.ts';
import { createPods } from '../console/pods.ts';
import { foundOf } from './objects.ts';
import type { World } from './program.ts';

const APPS = 40;
/** The number of pods that have Events. */
const WITH_EVENTS = 1_000;
/** The reasons of a pod's Events. */
export const REASONS = ['Scheduled', 'Pulled', 'Started'] as const;
const AT_ONCE = 16;
const PATIENCE = 60_000;
const NAMESPACE = '/namespaces/default';

/** A Winnow of `winnow start`, with pods that have owners and Events. */
export interface StartedWorld extends World {
  stop(): Promise<void>;
}

/** Starts a Winnow and fills it with pods. */
export async function startWorld(pods: number): Promise<StartedWorld> {
  const servers = await Servers.open();
  const forget = atExit(() => servers.kill());
  const stop = async () => {
    await servers.close();
    forget();
  };
  try {
    const { http } = await servers.start(servers.within('data'));
    await createPods(http.url, pods, await createOwners(http));
    await createEvents(http, Math.min(pods, WITH_EVENTS));
    return {
      http,
      pods,
      found: foundOf(pods),
      patience: PATIENCE,
      kubeconfig: servers.within('kubeconfig'),
      folder: servers.within('.'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates Deployments and their ReplicaSets. Returns the owner of each pod. */
async function createOwners(http: World['http']) {
  const owners = await Promise.all(
    Array.from({ length: APPS }, async (_, app) => {
      const labels = { app: `app-${app}` };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
      const spec = { selector: { matchLabels: labels }, template };
      const deployment = await http.post(`/apis/apps/v1${NAMESPACE}/deployments`, {
        metadata: { name: `app-${app}`, labels },
        spec,
      });
      const owner = ownerOf('Deployment', deployment.body.metadata);
      const metadata = { name: `app-${app}-7f9c`, labels, ownerReferences: [{ ...owner, controller: true }] };
      const replicas = await http.post(`/apis/apps/v1${NAMESPACE}/replicasets`, { metadata, spec });
      return ownerOf('ReplicaSet', replicas.body.metadata);
    }),
  );
  return (pod: number) => owners[pod % APPS];
}

function ownerOf(kind: string, { name, uid }: { readonly name: string; readonly uid: string }) {
  return { apiVersion: 'apps/v1', kind, name, uid };
}

/** Creates the Events of the first pods. */
async function createEvents(http: World['http'], pods: number): Promise<void> {
  const { items } = await http.get(`/api/v1${NAMESPACE}/pods?limit=${pods}`);
  const waiting = items.values();
  const create = async () => {
    for (const { metadata } of waiting) {
      for (const reason of REASONS) await http.post(`/api/v1${NAMESPACE}/events`, eventOf(metadata, reason));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
}

function eventOf({ name, uid }: { name: string; uid: string }, reason: string): JsonObject {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    metadata: { name: `${name}.${reason.toLowerCase()}` },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name, uid },
    type: 'Normal',
    reason,
    message: `${reason} ${name}`,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'bench' },
  };
}
