import { eventually } from '../eventually.ts';
import type { KubernetesObject } from './http-client.ts';

export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

export interface WatchOptions {
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told of each event when it comes. */
  readonly onEvent?: (event: WatchLine) => void;
}

/** A watch over HTTP, read line by line as it comes. */
export class WatchStream {
  readonly events: WatchLine[] = [];
  heartbeats = 0;
  /** How it ended: undefined while it is open, `'cleanly'` when the server finished it. */
  end: 'cleanly' | 'broken' | 'left' | undefined;
  readonly response: Response;
  readonly #leaving: AbortController;
  readonly #onEvent: WatchOptions['onEvent'];

  private constructor(response: Response, leaving: AbortController, onEvent: WatchOptions['onEvent']) {
    this.response = response;
    this.#leaving = leaving;
    this.#onEvent = onEvent;
  }

  /** Resolves with the first byte of the answer's head. */
  static async open(url: string, options: WatchOptions = {}): Promise<WatchStream> {
    const headers = { accept: options.accept ?? 'application/json', ...options.headers };
    const leaving = new AbortController();
    const response = await fetch(url, { headers, signal: leaving.signal });
    if (response.status !== 200 || response.body === null) {
      throw new Error(`${url}: ${response.status} ${await response.text()}`);
    }
    const stream = new WatchStream(response, leaving, options.onEvent);
    void stream.#read(response.body);
    return stream;
  }

  /** Waits until what came so far satisfies `holds`. */
  async until(
    holds: (events: readonly WatchLine[]) => boolean,
    within?: number,
  ): Promise<readonly WatchLine[]> {
    await eventually(`the watch told what it must`, () => holds(this.events), within).catch((error) => {
      throw new Error(`${error.message}; it told ${this.told.join(', ') || 'nothing'}`);
    });
    return this.events;
  }

  ended(within?: number): Promise<'cleanly' | 'broken' | 'left'> {
    return eventually('the watch ends', () => this.end, within);
  }

  /** `ADDED web-1` of every event. */
  get told(): string[] {
    return this.events.map(({ type, object }) => [type, object.metadata?.name].filter(Boolean).join(' '));
  }

  leave(): void {
    this.#leaving.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
      }
      this.end = rest === '' ? 'cleanly' : 'broken';
    } catch {
      this.end = this.#leaving.signal.aborted ? 'left' : 'broken';
    }
  }

  #take(line: string): void {
    if (line === '') {
      this.heartbeats += 1;
    } else {
      const event: WatchLine = JSON.parse(line);
      this.events.push(event);
      this.#onEvent?.(event);
    }
  }
}
