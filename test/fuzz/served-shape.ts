import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../support/watch/memory-world.ts';
import type { FuzzRequest, Shape } from './fuzz-request.ts';

/** How often a shape is sent; the best counts, because others keep the processor busy. */
const TIMES = 4;
/** Milliseconds after which the service counts as hung. */
const HUNG = 60_000;
/** Milliseconds within which an answer, and one of /version meanwhile, has to come. */
const LATEST = 1_000;
const LATEST_VERSION = 500;

export interface Served {
  readonly shape: string;
  readonly status: number;
  readonly answer: number;
  readonly version: number;
  readonly faults: readonly string[];
}

/** Sends a shape at its greatest size to a running service, and asks for /version meanwhile. */
export async function serveShape(url: string, shape: Shape): Promise<Served> {
  for (const request of shape.before ?? []) await ask(url, request);
  const request = shape.make(shape.most, seeded(1));
  let [answer, version, status] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let time = 0; time < TIMES && (answer > LATEST || version > LATEST_VERSION); time += 1) {
    const stop = new AbortController();
    const watched = longestVersion(url, stop.signal);
    const began = performance.now();
    status = await ask(url, request);
    answer = Math.min(answer, performance.now() - began);
    stop.abort();
    version = Math.min(version, await watched);
  }
  const faults = [
    ...(status === 0 ? [`no answer came within ${HUNG} ms`] : []),
    ...(status >= 500 ? [`it was answered with ${status}`] : []),
    ...(answer > LATEST ? [`its answer took ${answer.toFixed(0)} ms`] : []),
    ...(version > LATEST_VERSION ? [`/version took ${version.toFixed(0)} ms meanwhile`] : []),
  ];
  return { shape: shape.name, status, answer, version, faults };
}

/** The status; 0 where none came. */
async function ask(url: string, { method, path, type, body }: FuzzRequest): Promise<number> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: type === undefined ? {} : { 'content-type': type },
      signal: AbortSignal.timeout(HUNG),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return 0;
    throw error;
  }
}

async function longestVersion(url: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const began = performance.now();
    await ask(url, { method: 'GET', path: '/version' });
    longest = Math.max(longest, performance.now() - began);
    await sleep(20, undefined, { signal }).catch(() => undefined);
  }
  return longest;
}
