import { type Queue, QueueGoneError, type Received } from '../../../lib/client/index.ts';

export interface Put {
  readonly event?: unknown;
  readonly body?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Queues in memory, by URL, that a test fills, breaks and deletes: faults that no emulator has. */
export class FakeQueues implements Queue {
  readonly queues = new Map<string, Received[]>();
  /** Errors that the next operations throw, one each. */
  readonly faults: Error[] = [];
  #ids = 0;

  put(url: string, ...messages: readonly Put[]): void {
    const queue = this.queues.get(url) ?? [];
    this.queues.set(url, queue);
    for (const { event, body = JSON.stringify(event), attributes = {} } of messages) {
      this.#ids += 1;
      const id = String(this.#ids);
      queue.push({ id, body, attributes, queue: url.slice(url.lastIndexOf('/') + 1), receipt: id });
    }
  }

  async receive(url: string, signal: AbortSignal): Promise<readonly Received[]> {
    this.#fail();
    const queue = this.queues.get(url);
    if (queue === undefined) throw new QueueGoneError(url);
    if (queue.length > 0) return queue.slice(0, 10);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    return [];
  }

  async delete(url: string, messages: readonly Received[]): Promise<void> {
    this.#fail();
    const receipts = messages.map(({ receipt }) => receipt);
    const queue = this.queues.get(url);
    if (queue === undefined) throw new QueueGoneError(url);
    this.queues.set(
      url,
      queue.filter(({ receipt }) => !receipts.includes(receipt)),
    );
  }

  #fail(): void {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
  }
}
