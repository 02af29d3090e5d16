import type { Queues } from '../../../lib/coordination/index.ts';
import { QueueGoneError } from '../../../lib/coordination/queues.ts';

export interface Received {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly group?: string | undefined;
  readonly deduplication?: string | undefined;
}

/** Queues whose messages a test can take. */
export interface TestQueues extends Queues {
  /** Takes all messages out of a queue; none where there is no such queue. */
  drain(url: string): Promise<Received[]>;
  stop(): Promise<void>;
}

export interface MemoryQueues extends TestQueues {
  /** The URLs of all queues there are. */
  urls(): string[];
}

/** Queues in memory: FIFO ones drop what they have seen. */
export function createMemoryQueues(): MemoryQueues {
  const contents = new Map<
    string,
    {
      fifo: boolean;
      seen: Set<string>;
      messages: Received[];
      policy: string | undefined;
      tags: Readonly<Record<string, string>>;
    }
  >();
  return {
    async create(name, { attributes, tags }) {
      const url = `memory://${name}`;
      const fifo = attributes.FifoQueue === 'true';
      const { Policy: policy } = attributes;
      if (!contents.has(url)) contents.set(url, { fifo, seen: new Set(), messages: [], policy, tags });
      return url;
    },
    async permit(url, policy) {
      const queue = contents.get(url);
      if (queue !== undefined) queue.policy = policy;
    },
    delete: async (url) => void contents.delete(url),
    async attributes(url) {
      const queue = contents.get(url);
      if (queue === undefined) return undefined;
      const { policy } = queue;
      const attributes: Record<string, string> = policy === undefined ? {} : { Policy: policy };
      return attributes;
    },
    tags: async (url) => contents.get(url)?.tags,
    async sendBatch(url, messages) {
      const queue = contents.get(url);
      if (queue === undefined) throw new QueueGoneError(`there is no queue ${url}`);
      for (const message of messages) {
        const { deduplication = '' } = message;
        if (queue.fifo && queue.seen.has(deduplication)) continue;
        queue.seen.add(deduplication);
        queue.messages.push({ attributes: {}, ...message });
      }
      return [];
    },
    drain: async (url) => contents.get(url)?.messages.splice(0) ?? [],
    stop: async () => {},
    urls: () => [...contents.keys()],
  };
}
