import { once } from 'node:events';
import { Agent, type RequestOptions, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { ApiRequest } from '../../../lib/server/index.ts';
import type { Answered, ReplayedApi } from '../../golden/replay.ts';
import { eventually } from '../../support/eventually.ts';
import { ADMIN } from '../../support/service/admin.ts';

export interface LiveOptions {
  readonly port: number;
  readonly token: string;
}

/** A kube-apiserver to which requests are replayed. */
export class LiveApi implements ReplayedApi {
  readonly #options: RequestOptions;

  constructor({ port, token }: LiveOptions) {
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    this.#options = { host: '127.0.0.1', port, agent, headers: { authorization: `Bearer ${token}` } };
  }

  /** Does nothing: the server's time is the present. */
  begin(): void {}

  async answer({ method, path, headers, body }: ApiRequest, target = path): Promise<Answered> {
    const { host: _theirs, ...given } = headers;
    // Node sends a content-length only for methods that usually have a body.
    const length = body === undefined ? {} : { 'content-length': body.byteLength };
    const asking = request({
      ...this.#options,
      method,
      path: target,
      headers: { ...this.#options.headers, ...given, ...length },
    });
    const answered = once(asking, 'response');
    asking.end(body);
    const [response] = await answered;
    const own = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    const bytes = await buffer(response);
    const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    return { status: response.statusCode, headers: Object.fromEntries(own), text: plain.toString() };
  }

  /** Waits as long as the recorder did, for the work that the server does by itself. */
  async settle(pause = 0): Promise<void> {
    await sleep(pause * 1_000);
  }

  async answerUntil(asked: ApiRequest, target: string, status: number): Promise<Answered> {
    let answer = await this.answer(asked, target);
    await eventually(`${asked.method} ${target} is a ${status}`, async () => {
      if (answer.status !== status) answer = await this.answer(asked, target);
      return answer.status === status;
    });
    return answer;
  }

  async isReady(): Promise<boolean> {
    const asked = { method: 'GET', path: '/readyz', query: new URLSearchParams(), headers: {}, user: ADMIN };
    try {
      return (await this.answer(asked)).status === 200;
    } catch {
      return false;
    }
  }
}
