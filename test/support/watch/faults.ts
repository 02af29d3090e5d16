import type { QueueMessage, Queues } from '../../../lib/coordination/index.ts';

/** The process died: nothing it asks for is done any more. */
export class Crash extends Error {}

/** What happens to one batch: the indexes that SQS does not accept, or an error for all of it. */
export type SendFault = (
  url: string,
  messages: readonly QueueMessage[],
) => SendOutcome | Promise<SendOutcome>;
type SendOutcome = readonly number[] | Error | undefined;

/** One life of the code under test. */
interface Process {
  isDead: boolean;
}

/** Things that go wrong between the code and what it calls. */
export class Faults {
  /** Calls so far, by name. */
  readonly calls: string[] = [];
  /** Which call kills the process, by its name and number. `after`: the call is done, but its answer is lost. */
  crash: ((call: string, number: number) => 'before' | 'after' | undefined) | undefined;
  send: SendFault | undefined;
  /** How often a process died. */
  crashes = 0;
  #process: Process = { isDead: false };

  /** Starts a new process. Work that the dead process left running gets ten turns to find itself dead. */
  async reboot(): Promise<void> {
    if (!this.#process.isDead) return;
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    this.#process = { isDead: false };
  }

  /** `target`, whose methods can die. */
  around<Target extends object>(kind: string, target: Target): Target {
    return new Proxy(target, {
      get: (_, property) => {
        const method: unknown = Reflect.get(target, property);
        if (typeof method !== 'function') return method;
        if (property === 'within') return (...args: unknown[]) => this.around(kind, method(...args));
        return async (...args: unknown[]) => this.#call(`${kind}.${String(property)}`, () => method(...args));
      },
    });
  }

  /** `queues`, whose batches can fail in part. */
  aroundSends(queues: Queues): Queues {
    return {
      ...queues,
      sendBatch: async (url, messages, signal) => {
        const fault = (await this.send?.(url, messages)) ?? [];
        if (fault instanceof Error) throw fault;
        const kept = messages.map((_, index) => index).filter((index) => !fault.includes(index));
        const sent = kept.flatMap((index) => messages[index] ?? []);
        const failed = sent.length === 0 ? [] : await queues.sendBatch(url, sent, signal);
        return [...fault, ...failed.flatMap((index) => kept[index] ?? [])];
      },
    };
  }

  async #call(name: string, run: () => unknown): Promise<unknown> {
    // A call that the dead process left under way kills no later process.
    const process = this.#process;
    if (process.isDead) throw new Crash(name);
    const verdict = this.crash?.(name, this.calls.length);
    this.calls.push(name);
    if (verdict === 'before') this.#die(process, name);
    try {
      return await run();
    } finally {
      if (verdict === 'after') this.#die(process, name);
    }
  }

  #die(process: Process, name: string): never {
    process.isDead = true;
    this.crashes += 1;
    throw new Crash(name);
  }
}
