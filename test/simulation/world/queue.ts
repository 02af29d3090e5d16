import type { QueueMessage } from '../../../lib/coordination/index.ts';
import type { Surroundings } from './surroundings.ts';

export interface Received extends QueueMessage {
  readonly messageId: string;
  /** How often this message was delivered, this time included. */
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
  /** The virtual ms from which it can be delivered (again). */
  visible: number;
}

/** The time in ms after which FIFO deduplication forgets an id. */
const DEDUPLICATION = 5 * 60_000;
const MOST_RECEIVES = 10;

/** One SQS queue. */
export class SimulatedQueue {
  readonly #world: Surroundings;
  readonly #isFifo: boolean;
  /** How long a delivered message stays hidden, in ms. */
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

  /** Calls the listener whenever there may be a message to receive. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Accepts a message, unless a message with its deduplication id was sent in the last five minutes. */
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

  /** Delivers at most `most` messages. Those of a FIFO group are in order, and wait while earlier ones are hidden. */
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
      // A standard queue may deliver a message again that is still being handled.
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

  /** Deletes the message of a receipt, unless it was delivered again since. */
  settle(receipt: string): void {
    const stored = this.#out(receipt);
    if (stored !== undefined) this.delete(stored.messageId);
  }

  /** Shows the message of a receipt again after so many ms, unless it was shown again already. */
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
