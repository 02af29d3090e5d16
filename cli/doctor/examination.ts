import { randomBytes } from 'node:crypto';
import { type Access, Connection } from '../connection/index.ts';

/** How long things may take, in milliseconds. */
export interface Patience {
  /** An event of a watch. */
  readonly watch: number;
  /** A subscription, until it is synced. */
  readonly subscription: number;
  /** A message on the queue. The minute's schedule would bring it within about 60 s. */
  readonly delivery: number;
  /** From here on a message is late: the hints of writes and of the relay bring it in a few seconds. */
  readonly late: number;
  /** What was deleted, until it is gone. */
  readonly removal: number;
}

export const PATIENCE: Patience = {
  watch: 30_000,
  subscription: 90_000,
  delivery: 90_000,
  late: 30_000,
  removal: 180_000,
};

export interface ExaminationOptions {
  readonly access: Access;
  readonly patience: Patience;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
}

/** What the steps hand to each other. */
export class Examination {
  readonly connection: Connection;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Everything is made in it, and goes with it. Random, so that nobody has it. */
  readonly namespace: string;
  /** Whether the namespace may be there. */
  touched = false;
  /** Of the subscription, once it is synced. */
  queueUrl: string | undefined;

  constructor(
    { access, patience, signal }: ExaminationOptions,
    namespace = `winnow-doctor-${randomBytes(6).toString('hex')}`,
  ) {
    this.connection = new Connection(access, signal);
    this.patience = patience;
    this.signal = signal;
    this.namespace = namespace;
  }

  /** The same, which nothing interrupts. */
  uninterrupted(): Examination {
    const { signal } = new AbortController();
    return new Examination(
      { access: this.connection.access, patience: this.patience, signal },
      this.namespace,
    );
  }

  get namespacePath(): string {
    return `/api/v1/namespaces/${this.namespace}`;
  }

  /** The objects that are written are config maps: nothing acts on them. */
  get objectsPath(): string {
    return `${this.namespacePath}/configmaps`;
  }

  get subscriptionsPath(): string {
    return `/apis/winnow.dev/v1/namespaces/${this.namespace}/subscriptions`;
  }
}

/** One line of the table. */
export interface Step {
  readonly name: string;
  /** Without it, nothing that follows can be checked. */
  readonly required?: boolean;
  /**
   * Gives what it saw, in a few words. Throws a Fault where something is not as it has to be, an UncheckedError
   * where that cannot be told.
   */
  run(examination: Examination): Promise<string>;
}
