import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../lib/json/index.ts';
import { metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Snapshot } from '../../simulation/history.ts';

export const PODS = '/api/v1/namespaces/default/pods';

/** An answer; undefined where none came. */
export type SoakAnswer = { readonly status: number; readonly body: JsonObject } | undefined;

/** Where the API is; empty while it does not run. */
interface Served {
  readonly url: string;
}

/** Asks whatever process runs, and notes how long that took. */
export class SoakClient {
  /** How many requests were answered with which status; 0: they were not. */
  readonly statuses = new Map<number, number>();
  /** ms of each answered request since they were taken out. */
  latencies: number[] = [];
  readonly #service: Served;
  readonly #began = performance.now();

  constructor(service: Served) {
    this.#service = service;
  }

  /** ms since the beginning. */
  get now(): number {
    return performance.now() - this.#began;
  }

  async send(method: string, path: string, body?: JsonObject): Promise<SoakAnswer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    await this.#isUp();
    const began = performance.now();
    try {
      const response = await fetch(`${this.#service.url}${path}`, {
        method,
        headers: { 'content-type': type },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answered = (await response.json()) as JsonObject;
      this.latencies.push(performance.now() - began);
      this.#count(response.status);
      return { status: response.status, body: answered };
    } catch {
      this.#count(0);
      return undefined;
    }
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Nobody asks what is not there: that would only fill the history. */
  async #isUp(): Promise<void> {
    while (this.#service.url === '') await sleep(100);
  }

  /** The lines of a watch until it ends, however it does. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<JsonObject> {
    await this.#isUp();
    try {
      const response = await fetch(`${this.#service.url}${path}`, { signal });
      if (response.status !== 200) {
        const body = (await response.json()) as JsonObject;
        if (response.status === 410) yield { type: 'ERROR', object: body };
        return;
      }
      let rest = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
      }
    } catch {
      // The line was cut, or nobody listens: whoever watches goes on.
    }
  }
}

/** A pod as the checks see it. */
export function snapshotIn(body: JsonObject): Snapshot {
  const { name, namespace, uid, resourceVersion, labels, annotations } = metadataOf(body);
  const { phase = '' } = objectAt(body.status ?? {});
  return {
    object: `${namespace}/${name}`,
    uid: String(uid),
    rv: Number(resourceVersion),
    labels: (labels ?? {}) as Snapshot['labels'],
    phase: String(phase),
    token: String((annotations as JsonObject | undefined)?.token),
  };
}

const PAUSE = 200;

/**
 * Sends a request until it is answered, and answers the body. What an earlier try did already is fine: 409 to a POST,
 * 404 to a DELETE.
 *
 * @throws {Error} it is refused.
 */
export async function insist(
  client: SoakClient,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const done = { GET: 200, POST: 409, DELETE: 404 }[method];
  for (;;) {
    const answer = await client.send(method, path, body);
    const { status = 0, body: answered = {} } = answer ?? {};
    if ((status >= 200 && status < 300) || status === done) return answered;
    if (status >= 400 && status < 500 && status !== 429) {
      throw new Error(
        `${method} ${path} is refused with ${status}: ${JSON.stringify(answered).slice(0, 500)}`,
      );
    }
    await sleep(PAUSE);
  }
}
