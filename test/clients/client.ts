import type { LocalOptions } from '../../infra/local/start-local.ts';
import type { HttpClient } from '../support/service/http-client.ts';

/** A real client of Kubernetes, with its defaults. */
export interface Client {
  /** As `npm run test:clients -- NAME` and the table of docs/clients.md call it: `helm-4`. */
  readonly name: string;
  /** Of what is installed: `Helm 4.3.1`. */
  readonly title: string;
  /** How its service differs from a deployment with the defaults. */
  readonly service?: Pick<LocalOptions, 'newestSchema' | 'webhooks' | 'derived'>;
  /**
   * Installs or builds it into a folder of its own, where it stays for the next time. Rejects with a
   * {@link Missing} where its toolchain is not there.
   */
  install(folder: string): Promise<Attempt>;
}

/** Tries one behaviour after another on a service of its own, and tells how each went. */
export type Attempt = (server: Server, tell: (outcome: Outcome) => void) => Promise<void>;

export interface Server {
  /** That of the service, without an account or a content type set. */
  readonly kubeconfig: string;
  /** For what a controller would do meanwhile. */
  readonly http: HttpClient;
  /** An empty folder: the client's home. */
  readonly home: string;
}

export interface Outcome {
  /** What a user would say that it does: `upgrade`. */
  readonly behaviour: string;
  /** Why it does not. */
  readonly error?: string;
}

/** There is no such toolchain on this machine. */
export class Missing extends Error {}
