import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../support/listen.ts';

const OBJECTS = 10_000;
const RATE = 1_000;
/** The time between two pieces of the watch, in ms. */
const PIECE = 10;

export interface ReplayServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that lists 10,000 devices in pages, and then replays 1,000 changes a second in each watch. */
export async function startReplayServer(changes: number): Promise<ReplayServer> {
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    response.setHeader('content-type', 'application/json');
    if (searchParams.get('watch') === 'true') {
      timers.add(replay(response, changes));
    } else {
      response.end(pageOf(Number(searchParams.get('continue') ?? 0), Number(searchParams.get('limit'))));
    }
  });
  const { url, stop } = await listen(server);
  return {
    url,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      return stop();
    },
  };
}

function pageOf(from: number, limit: number): string {
  const end = Math.min(from + limit, OBJECTS);
  const items = Array.from({ length: end - from }, (_, at) => deviceOf(from + at, from + at + 1));
  const next = end < OBJECTS ? { continue: String(end) } : {};
  const metadata = { resourceVersion: String(OBJECTS), ...next };
  return JSON.stringify({ apiVersion: 'fleet.example/v1', kind: 'DeviceList', metadata, items });
}

/** Sends as many changes as are due, so that a late timer does not make them fewer. */
function replay(response: ServerResponse, changes: number): NodeJS.Timeout {
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(changes, Math.floor(((performance.now() - began) * RATE) / 1_000));
    let text = '';
    for (; sent < due; sent++) {
      const object = deviceOf((sent * 7) % OBJECTS, OBJECTS + sent + 1);
      text += `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
    }
    if (text !== '') response.write(text);
    if (sent === changes) clearInterval(timer);
  }, PIECE);
  return timer;
}

/** A device as Winnow returns it, with the fields that a manager owns: about 1 KB. */
function deviceOf(index: number, version: number): object {
  const time = '2026-01-01T00:00:00Z';
  const labels = { site: 'north', tier: 'web', app: 'fleet', version: 'v1' };
  const owned = Object.fromEntries(Object.keys(labels).map((key) => [`f:${key}`, {}]));
  return {
    apiVersion: 'fleet.example/v1',
    kind: 'Device',
    metadata: {
      name: `cam-${String(index).padStart(5, '0')}`,
      namespace: 'default',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(version),
      generation: 1,
      creationTimestamp: time,
      labels,
      managedFields: [
        {
          manager: 'winnow-client',
          operation: 'Update',
          apiVersion: 'fleet.example/v1',
          time,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, ...owned } }, 'f:spec': { 'f:model': {} } },
        },
      ],
    },
    spec: { model: `x${version}`, state: 'active', radio: { band: 5 } },
  };
}
