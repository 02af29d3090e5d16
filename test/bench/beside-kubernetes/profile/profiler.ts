import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../../../support/eventually.ts';
import type { CpuProfile } from './shares.ts';

/** The time between two samples, in µs. */
const INTERVAL = 500;

/** The CPU profiler of a Node process with the flag `--inspect=127.0.0.1:PORT`. */
export class Profiler {
  readonly #socket: WebSocket;
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async connect(port: number): Promise<Profiler> {
    const url = await eventually('the inspector answers', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
      const [target] = answer === undefined ? [] : ((await answer.json()) as { webSocketDebuggerUrl: string }[]);
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
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const take = (data: Buffer) => {
      const answer = JSON.parse(data.toString());
      if (answer.id !== id) return;
      this.#socket.off('message', take);
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(`${method}: ${answer.error.message}`));
    };
    this.#socket.on('message', take);
    this.#socket.once('close', () => reject(new Error(`${method}: the process closed its inspector`)));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }
}
