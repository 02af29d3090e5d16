import { type LocalOptions, type LocalWinnow, startLocal } from '../../../infra/local/start-local.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { HttpClient } from './http-client.ts';
import { Inbox } from './inbox.ts';

/** Winnow on embedded emulators, as one test file uses it. */
export interface Service {
  readonly winnow: LocalWinnow;
  readonly http: HttpClient;
  /** The errors that functions logged. A test that did not provoke an error expects none. */
  readonly problems: readonly string[];
  /** Creates a Subscription; resolves once it is synced. Its inbox is closed when the service stops. */
  subscribe(name: string, spec: JsonObject, namespace?: string): Promise<Inbox>;
  /** The inbox of a Subscription that is there already. */
  inbox(name: string, namespace?: string): Inbox;
  stop(): Promise<void>;
  /** As {@link LocalWinnow.kill}. */
  kill(): Promise<void>;
}

export async function startService(options: Omit<LocalOptions, 'logger'> = {}): Promise<Service> {
  // What the functions log of bad requests and provoked failures would only hide the tests' own report.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
  const problems: string[] = [];
  const note = (message: string, data?: Record<string, unknown>) =>
    problems.push(`${message} ${String(data?.error ?? '')}`);
  const logger = { debug: () => {}, info: () => {}, warn: note, error: note };
  const winnow = await startLocal({ ...options, logger });
  const http = new HttpClient(winnow.url);
  const inboxes: Inbox[] = [];
  const end = (how: () => Promise<void>) => () => {
    for (const inbox of inboxes) inbox.close();
    return how();
  };
  const inbox = (name: string, namespace = 'default') => {
    const made = new Inbox({ http, sqs: winnow.sqsClientConfig, name, namespace });
    inboxes.push(made);
    return made;
  };
  return {
    winnow,
    http,
    problems,
    stop: end(winnow.stop),
    kill: end(winnow.kill),
    inbox,
    subscribe: async (name, spec, namespace) => {
      const made = inbox(name, namespace);
      await made.subscribe(spec);
      return made;
    },
  };
}
