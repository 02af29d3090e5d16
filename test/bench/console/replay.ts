import { createServer, type ServerResponse } from 'node:http';
import { forward } from '../../../examples/typescript/forward.ts';
import { listen } from '../../support/listen.ts';
import { labelsOf, nameOf } from './pods.ts';

export interface Replay {
  readonly url: string;
  /** The changes that each watch sends in a second. */
  rate: number;
  stop(): Promise<void>;
}

interface Row {
  readonly cells: readonly unknown[];
  readonly object: { readonly metadata: Readonly<Record<string, unknown>> };
}

interface Table {
  readonly metadata: object;
  readonly rows: readonly Row[];
}

const ROWS = 10_000;
/** The time between two pieces of a watch, in ms. */
const PIECE = 10;
const PODS = '/api/v1/pods';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** A server that lists 10,000 pods as rows and replays changes of them. It passes all other requests on to a Winnow. */
export async function startReplay(winnow: string): Promise<Replay> {
  const first = await fetch(`${winnow}${PODS}?limit=1`, { headers: { accept: TABLE } });
  const rows = new Rows((await first.json()) as Table);
  const timers = new Set<NodeJS.Timeout>();
  const hosts: string[] = [];
  const pass = forward({ url: winnow, hosts });
  const replay = { rate: 0 };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (pathname !== PODS || !request.headers.accept?.includes('as=Table')) {
      return void (await pass(request, response));
    }
    response.setHeader('content-type', 'application/json');
    if (searchParams.get('watch') === 'true') {
      response.flushHeaders();
      const timer = sendChanges(response, () => replay.rate, rows);
      timers.add(timer);
      response.on('close', () => clearInterval(timer));
    } else {
      response.end(rows.page(Number(searchParams.get('continue') ?? 0), Number(searchParams.get('limit'))));
    }
  });
  const { url, stop } = await listen(server);
  hosts.push(new URL(url).host);
  return Object.assign(replay, {
    url,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      return stop();
    },
  });
}

/** Sends as many changes as are due, so that a late timer does not make them fewer. */
function sendChanges(response: ServerResponse, rate: () => number, rows: Rows): NodeJS.Timeout {
  let due = 0;
  let last = performance.now();
  return setInterval(() => {
    const now = performance.now();
    due += ((now - last) * rate()) / 1_000;
    last = now;
    let text = '';
    for (; due >= 1; due -= 1) text += `${rows.nextChange()}\n`;
    if (text !== '') response.write(text);
  }, PIECE);
}

/** The rows of 10,000 pods, made from one row of a Winnow. */
class Rows {
  readonly #table: Table;
  readonly #row: Row;
  #changes = 0;

  constructor(table: Table) {
    const [row] = table.rows;
    if (row === undefined) throw new Error('Winnow has no pod from which rows can be made');
    this.#table = table;
    this.#row = row;
  }

  page(from: number, limit: number): string {
    const end = Math.min(from + limit, ROWS);
    const next = end < ROWS ? { continue: String(end), remainingItemCount: ROWS - end } : {};
    return JSON.stringify({
      ...this.#table,
      metadata: { resourceVersion: String(ROWS), ...next },
      rows: Array.from({ length: end - from }, (_, at) => this.#at(from + at, from + at + 1)),
    });
  }

  /** Of 20 changes one deletes a pod, and the next one creates it again. The others change a label. */
  nextChange(): string {
    const change = this.#changes;
    this.#changes += 1;
    const type = change % 20 === 0 ? 'DELETED' : change % 20 === 1 ? 'ADDED' : 'MODIFIED';
    const index = ((type === 'ADDED' ? change - 1 : change) * 7) % ROWS;
    const row = this.#at(index, ROWS + change + 1, { ring: `r${change % 7}` });
    const { resourceVersion } = row.object.metadata;
    return JSON.stringify({ type, object: { ...this.#table, metadata: { resourceVersion }, rows: [row] } });
  }

  #at(index: number, version: number, labels = {}): Row {
    const name = nameOf(index);
    const [, ...cells] = this.#row.cells;
    const metadata = {
      ...this.#row.object.metadata,
      name,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(version),
      labels: { ...labelsOf(index), ...labels },
    };
    return { cells: [name, ...cells], object: { ...this.#row.object, metadata } };
  }
}
