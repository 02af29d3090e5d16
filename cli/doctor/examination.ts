import { randomBytes } from 'node:crypto';
import { type Access, Connection } from '../connection/index.ts';

/** The longest waits of the steps, in ms. */
export interface Patience {
  /** For an event of a watch. */
  readonly watch: number;
  /** For a subscription to become Synced. */
  readonly subscription: number;
  /** For a message on the queue. The tick, once a minute, would deliver it within about 60 s. */
  readonly delivery: number;
  /**
   * A slower message counts as late: with the hint of the writer or of the relay, dispatch sends it in a few
   * seconds.
   */
  readonly late: number;
  /** For a deleted object to disappear. */
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
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** The state that the steps share. */
export class Examination {
  readonly connection: Connection;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** The namespace for all objects of the steps. Its name is random, so that it is new. */
  readonly namespace: string;
  /** Whether the namespace may exist. */
  touched = false;
  /** The URL of the subscription's queue, once the subscription is Synced. */
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

  /** A copy that the user cannot interrupt. */
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

  /** The steps write config maps, because no controller acts on them. */
  get objectsPath(): string {
    return `${this.namespacePath}/configmaps`;
  }

  get subscriptionsPath(): string {
    return `/apis/winnow.dev/v1/namespaces/${this.namespace}/subscriptions`;
  }
}

/** One line of the report. */
export interface Step {
  readonly name: string;
  /** Whether the following steps need this one. */
  readonly required?: boolean;
  /**
   * Returns what it found, in a few words. Throws a Fault if something is wrong, and an UncheckedError if it could not
   * check.
   */
  run(examination: Examination): Promise<string>;
}
