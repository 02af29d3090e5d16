import type { KubernetesObject } from '../client.ts';
import type { Connection } from '../connection/index.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly code?: number; readonly message?: string };
}

/** Watches a path that has a query, until the watch ends or the signal is aborted. */
export async function* watch(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  for await (const line of connection.lines(`${path}&watch=true`, signal)) {
    // An empty line is a heartbeat.
    if (line.trim() !== '') yield JSON.parse(line);
  }
}
