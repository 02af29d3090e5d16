import { type JsonObject, metadataOf } from '../../lib/json/index.ts';
import {
  type Clock,
  silentLogger as logger,
  systemRandom as random,
  systemClock,
} from '../../lib/platform/index.ts';
import { createApi, ensureSystemNamespaces, readingVerbs, writingVerbs } from '../../lib/server/index.ts';
import { decodeBody, decodeText, encodeBody, encodedBytes } from '../../lib/store/body-codec.ts';
import { createStore, createWatches, type Row } from '../../lib/store/index.ts';
import { journalKey } from '../../lib/store/keys.ts';
import { ADMIN } from '../support/service/admin.ts';
import { startTable } from '../support/store/table.ts';
import { createCounter } from './counting.ts';

/** What a server-side apply that changes one field costs, and what it would without the dictionary. */
export interface ApplyCounts {
  /** Bytes of the object's JSON. */
  readonly object: number;
  readonly withDictionary: Entry;
  readonly alone: Entry;
}

interface Entry {
  /** Bytes of the patch back to the state before. */
  readonly previous: number;
  /** Write units of the whole write. */
  readonly writes: number;
}

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
/** Who owns what since when is told in seconds: both applies are of the same one, however long they take. */
const clock: Clock = { ...systemClock, now: () => Date.UTC(2026, 0, 1) };
const UNIT = 1_024;
/** Of a transaction, for each KB. */
const UNITS = 2;

export async function countApply(): Promise<ApplyCounts> {
  const { table, stop } = await startTable();
  try {
    const counter = createCounter();
    const outside = { clock, random, logger };
    const store = createStore({ ...outside, table: counter.table(table) });
    const watches = createWatches({ ...outside, store });
    const verbs = { ...readingVerbs, ...writingVerbs };
    const api = createApi({ ...outside, store, watches, verbs, announce: async () => {} });
    await ensureSystemNamespaces({ store, clock, random });
    const apply = async (image: string): Promise<JsonObject> => {
      const answer = await api.handle(
        {
          method: 'PATCH',
          path: DEPLOYMENT,
          query: new URLSearchParams('fieldManager=pipeline'),
          headers: { 'content-type': 'application/apply-patch+yaml' },
          user: ADMIN,
          body: Buffer.from(JSON.stringify(deploymentOf(image))),
        },
        AbortSignal.timeout(60_000),
      );
      if (answer.status >= 300) throw new Error(`apply: ${answer.status} ${String(answer.body)}`);
      return JSON.parse(String(answer.body));
    };
    await apply('registry.example/web:1');
    counter.take();
    const object = await apply('registry.example/web:2');
    const { writes } = counter.take();
    const rv = Number(metadataOf(object).resourceVersion);
    const row = await table.get(journalKey('apps/deployments', rv));
    if (row === undefined) throw new Error(`there is no journal entry ${rv}`);
    return { object: JSON.stringify(object).length, ...entriesOf(row, writes) };
  } finally {
    await stop();
  }
}

function entriesOf(row: Row, writes: number): Omit<ApplyCounts, 'object'> {
  const previous = encodedBytes(row.previous as string | Uint8Array);
  const alone = encodedBytes(encodeBody(decodeBody(row.previous, decodeText(row.body))));
  const entry = bytesOf(row);
  const units = (bytes: number) => UNITS * Math.ceil(bytes / UNIT);
  const more = units(entry - previous + alone) - units(entry);
  return {
    withDictionary: { previous, writes },
    alone: { previous: alone, writes: writes + more },
  };
}

/** Names and values, about as DynamoDB counts them. */
function bytesOf(row: Row): number {
  const sizes = Object.entries(row).map(([name, value]) => {
    const size = typeof value === 'string' || value instanceof Uint8Array ? encodedBytes(value) : 8;
    return Buffer.byteLength(name) + size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

function deploymentOf(image: string): JsonObject {
  const labels = { app: 'web', tier: 'front' };
  const container = (name: string, own: string) => ({
    name,
    image: own,
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: ['HOST', 'PORT', 'LEVEL', 'REGION'].map((one) => ({ name: one, value: one.toLowerCase() })),
    resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [container('web', image), container('proxy', 'registry.example/proxy:7')],
          volumes: [{ name: 'data', emptyDir: {} }],
        },
      },
    },
  };
}
