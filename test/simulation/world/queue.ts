import type { QueueMessage } from '../../../lib/coordination/index.ts';
import type { Surroundings } from './surroundings.ts';

export interface Received extends QueueMessage {
  readonly messageId: string;
  /** How often this message was handed out, this time included. */
  readonly receives: number;
  readonly receipt: string;
  /** When the queue took it, in virtual ms. */
  readonly sentAt: number;
}

interface Stored {
  readonly message: QueueMessage;
  readonly messageId: string;
  readonly sentAt: number;
  receives: number;
  /** Virtual ms from when it can be handed out (again). */
  visible: number;
}

/** FIFO deduplication forgets after this, in ms. */
const DEDUPLICATION = 5 * 60_000;
const MOST_RECEIVES = 10;

/** One SQS queue. */
export class SimulatedQueue {
  readonly #world: Surroundings;
  readonly #isFifo: boolean;
  /** How long a message that was handed out stays hidden, in ms. */
  readonly #visibility: number;
  readonly #seen = new Map<string, number>();
  readonly #listeners: (() => void)[] = [];
  #messages: Stored[] = [];
  #sent = 0;

  constructor(world: Surroundings, { isFifo, visibility }: { isFifo: boolean; visibility: number }) {
    this.#world = world;
    this.#isFifo = isFifo;
    this.#visibility = visibility;
  }

  /** Tells whenever there may be something to receive. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Takes a message in, unless it is one that was sent in the last five minutes. */
  accept(message: QueueMessage): void {
    const { now } = this.#world.scheduler;
    if (this.#isFifo) {
      const id = `${message.group} ${message.deduplication}`;
      if (now - (this.#seen.get(id) ?? Number.NEGATIVE_INFINITY) < DEDUPLICATION) return;
      this.#seen.set(id, now);
    }
    this.#messages.push({ message, messageId: `m${this.#sent++}`, sentAt: now, receives: 0, visible: now });
    this.#tell();
  }

  /** Hands out at most `most` messages: of a FIFO group in order, and none while earlier ones are out. */
  receive(most: number): Received[] {
    const { scheduler, chance, faults } = this.#world;
    const taken: Stored[] = [];
    const blocked = new Set<string>();
    for (const stored of this.#isFifo ? this.#messages : chance.shuffled(this.#messages)) {
      const { group = stored.messageId } = stored.message;
      if (taken.length === most || blocked.has(group)) continue;
      if (stored.visible > scheduler.now) {
        blocked.add(group);
      } else {
        taken.push(stored);
      }
    }
    for (const stored of taken) {
      stored.receives += 1;
      // A standard queue may hand a message out that is out already.
      if (this.#isFifo || !chance.chance(faults.duplicate)) this.#hide(stored);
    }
    return taken.map((stored) => {
      const { message, messageId, receives, sentAt } = stored;
      return { ...message, messageId, receives, sentAt, receipt: receiptOf(stored) };
    });
  }

  delete(messageId: string): void {
    this.#messages = this.#messages.filter((stored) => stored.messageId !== messageId);
    this.#tell();
  }

  /** Deletes what this receipt is for, unless it was handed out again since. */
  settle(receipt: string): void {
    const stored = this.#out(receipt);
    if (stored !== undefined) this.delete(stored.messageId);
  }

  /** Shows what this receipt is for again after so many ms, unless it was shown again already. */
  showAgain(receipt: string, delay: number): void {
    const stored = this.#out(receipt);
    if (stored !== undefined) this.#hide(stored, delay);
  }

  #out(receipt: string): Stored | undefined {
    const stored = this.#messages.find((one) => receiptOf(one) === receipt);
    return stored !== undefined && stored.visible > this.#world.scheduler.now ? stored : undefined;
  }

  #hide(stored: Stored, duration = this.#visibility): void {
    const { scheduler } = this.#world;
    stored.visible = scheduler.now + duration;
    scheduler.after(duration, () => {
      if (stored.visible > scheduler.now) return;
      if (stored.receives >= MOST_RECEIVES && this.#isFifo) {
        this.delete(stored.messageId);
      } else {
        this.#tell();
      }
    });
  }

  #tell(): void {
    if (this.#messages.length > 0) for (const listener of this.#listeners) listener();
  }
}

function receiptOf({ messageId, receives }: Pick<Stored, 'messageId' | 'receives'>): string {
  return `${messageId}#${receives}`;
}
