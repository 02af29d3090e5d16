import type { Answer, HttpClient } from '../support/service/http-client.ts';
import { NAMESPACE, PODS } from './trial.ts';

const COUNTER = `/api/v1/namespaces/${NAMESPACE}/configmaps/counter`;

export interface Served {
  readonly requests: number;
  /** Of these, those that a function was ended under. */
  readonly cut: number;
}

/** Somebody who writes and reads all the time, from now on. */
export class Traffic {
  /** Resolves after {@link end}; rejects when a request fails. */
  readonly done: Promise<Served>;
  readonly #http: HttpClient;
  readonly #mayBeCut: boolean;
  #ended = false;

  /** An emulator may end a function that is at work when it updates it, and answers 502 then. AWS lets it finish. */
  constructor(http: HttpClient, mayBeCut: boolean) {
    this.#http = http;
    this.#mayBeCut = mayBeCut;
    this.done = this.#goOn();
    // Whoever waits for it may still be busy.
    this.done.catch(() => {});
  }

  end(): void {
    this.#ended = true;
  }

  async #goOn(): Promise<Served> {
    let cut = 0;
    let requests = 0;
    for (; !this.#ended; requests += 2) {
      const metadata = { annotations: { requests: String(requests) } };
      const type = 'application/merge-patch+json';
      if (this.#isCut(await this.#http.send('PATCH', COUNTER, { body: { metadata }, type }))) cut += 1;
      if (this.#isCut(await this.#http.send('GET', `${PODS}?labelSelector=tier%3Dcache`))) cut += 1;
    }
    return { requests, cut };
  }

  #isCut({ status, message, body }: Answer): boolean {
    if (status === 200) return false;
    if (status === 502 && this.#mayBeCut) return true;
    throw new Error(
      `a request during the deployment was answered with ${status}: ${message || JSON.stringify(body)}`,
    );
  }
}
