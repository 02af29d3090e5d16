import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../../../support/eventually.ts';
import type { CpuProfile } from './shares.ts';

/** The time between two samples, in µs. */
const INTERVAL = 500;

/** The CPU profiler of a Node process with the flag `--inspect=127.0.0.1:PORT`. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(String(data)));
    socket.on('close', () => this.#end());
  }

  static async connect(port: number): Promise<Profiler> {
    const url = await eventually('the inspector answers', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
      const [target] =
        answer === undefined ? [] : ((await answer.json()) as { webSocketDebuggerUrl: string }[]);
      return target?.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 });
    await once(socket, 'open');
    const profiler = new Profiler(socket);
    await profiler.#send('Profiler.enable');
    await profiler.#send('Profiler.setSamplingInterval', { interval: INTERVAL });
    return profiler;
  }

  async start(): Promise<void> {
    await this.#send('Profiler.start');
  }

  async stop(): Promise<CpuProfile> {
    const { profile } = (await this.#send('Profiler.stop')) as { profile: CpuProfile };
    return profile;
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return waiting.promise;
  }

  #take(data: string): void {
    const { id, result, error } = JSON.parse(data);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error !== undefined) waiting?.reject(new Error(`the inspector refused: ${error.message}`));
    waiting?.resolve(result);
  }

  #end(): void {
    const failure = new Error('the process closed its inspector');
    for (const { reject } of this.#waiting.values()) reject(failure);
  }
}
