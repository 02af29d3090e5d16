import type { ApiResponse, UserInfo } from '../../../lib/server/index.ts';
import type { Table } from '../../../lib/store/index.ts';
import { AccessApi, type Asked } from '../../support/service/access-api.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An open watch, and the lines that it sent since the last look. */
export interface OpenWatch {
  readonly lines: string[];
  isOver: boolean;
  close(): void;
}

/** One world: the API in this process over its own table. Its clock moves only when nothing else can happen. */
export class LoneWorld {
  readonly #api: AccessApi;

  private constructor(api: AccessApi) {
    this.#api = api;
  }

  static async create(table?: Table): Promise<LoneWorld> {
    return new LoneWorld(await AccessApi.create(table));
  }

  get now(): number {
    return this.#api.clock.now();
  }

  async ask(user: UserInfo, asked: Asked): Promise<Answer> {
    const { status, headers, body } = await this.#api.during(this.#api.send({ user }, asked));
    return { status, headers, text: await this.#api.during(textOf(body)) };
  }

  /** Opens a watch. Returns the response if the watch was refused. */
  async watch(user: UserInfo, asked: Asked): Promise<Answer | OpenWatch> {
    const controller = new AbortController();
    const { status, headers, body } = await this.#api.during(
      this.#api.send({ user }, asked, controller.signal),
    );
    if (status !== 200) return { status, headers, text: await this.#api.during(textOf(body)) };
    const watch: OpenWatch = { lines: [], isOver: false, close: () => controller.abort() };
    const follow = async () => {
      for await (const line of body as AsyncIterable<string>) watch.lines.push(line);
      watch.isOver = true;
    };
    void follow();
    return watch;
  }

  /** Advances the clock to `until` while pending work continues. */
  async settle(until: number): Promise<void> {
    await this.#api.during(this.#api.clock.sleep(until - this.now));
  }
}

async function textOf(body: ApiResponse['body']): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const part of body) text += part;
  return text;
}
