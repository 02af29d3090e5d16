import { Servers } from '../support/service/start-cli.ts';
import type { Shape } from './fuzz-request.ts';
import { createFuzzedApi, type FuzzedApi } from './fuzzed-api.ts';
import { type Measured, measureShape } from './measure-shape.ts';
import { sendMutated } from './send-mutated.ts';
import { type Served, serveShape } from './served-shape.ts';

/** How many damaged requests one API in memory takes before another is made: its journal only grows. */
const REQUESTS = 2_000;

export interface FuzzOptions {
  readonly shapes: readonly Shape[];
  readonly minutes: number;
  /** Of the first damaged request; each later one has the next. */
  readonly seed: number;
  /** Milliseconds of a processor that a request may cost, whatever its size. */
  readonly most: number;
  say(text: string): void;
}

export interface FuzzReport {
  readonly measured: readonly Measured[];
  readonly served: readonly Served[];
  readonly mutated: number;
  /** How often each status was the answer to a damaged request. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}

/** Each shape in this process and over HTTP, then damaged requests until the time is up. */
export async function fuzz({ shapes, minutes, seed, most, say }: FuzzOptions): Promise<FuzzReport> {
  const until = performance.now() + minutes * 60_000;
  const findings: string[] = [];
  const found = (text: string) => {
    findings.push(text);
    say(`FINDING ${text}`);
  };
  const measured = await measureAll({ shapes, most, say, found });
  const served = await serveAll({ shapes, say, found });
  const { mutated, statuses } = await mutateUntil(until, { shapes, seed, say, found });
  return { measured, served, mutated, statuses, findings };
}

interface Phase extends Pick<FuzzOptions, 'shapes' | 'say'> {
  found(text: string): void;
}

async function measureAll({
  shapes,
  most,
  say,
  found,
}: Phase & { readonly most: number }): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const shape of shapes) {
    const one = await measureShape(await createFuzzedApi(), shape, most);
    measured.push(one);
    say(`${one.cost.toFixed(0).padStart(6)} ms  ${one.status}  ${shape.name}`);
    for (const fault of one.faults) found(`--shape ${JSON.stringify(shape.name)}: ${fault}`);
  }
  return measured;
}

async function serveAll({ shapes, say, found }: Phase): Promise<Served[]> {
  const servers = await Servers.open();
  const served: Served[] = [];
  try {
    const { http } = await servers.start(servers.within('data'));
    for (const shape of shapes) {
      const one = await serveShape(http.url, shape);
      served.push(one);
      say(`${one.answer.toFixed(0).padStart(6)} ms  ${one.status}  over HTTP: ${shape.name}`);
      for (const fault of one.faults) found(`over HTTP --shape ${JSON.stringify(shape.name)}: ${fault}`);
    }
  } finally {
    await servers.close();
  }
  return served;
}

async function mutateUntil(until: number, { shapes, seed, say, found }: Phase & { readonly seed: number }) {
  const statuses: Record<string, number> = {};
  let mutated = 0;
  let api: FuzzedApi | undefined;
  while (performance.now() < until) {
    if (api === undefined || mutated % REQUESTS === 0) api = await prepared(shapes);
    const own = seed + mutated;
    const { shape, status, fault } = await sendMutated(api, shapes, own);
    statuses[status] = (statuses[status] ?? 0) + 1;
    mutated += 1;
    if (fault !== undefined) found(`--seed ${own} (${shape}): ${fault}`);
    if (mutated % REQUESTS === 0) say(`${mutated} damaged requests, the last of seed ${own}`);
  }
  return { mutated, statuses };
}

/** An API with what the shapes need. */
export async function prepared(shapes: readonly Shape[]): Promise<FuzzedApi> {
  const api = await createFuzzedApi();
  for (const { before = [] } of shapes) {
    for (const request of before) await api.send(request);
  }
  return api;
}
