import type { KubernetesObject } from '../client.ts';
import type { Connection } from '../connection/index.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly code?: number; readonly message?: string };
}

/** The events of a path that has a query, until they end or the signal is aborted. */
export async function* watch(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  for await (const line of connection.lines(`${path}&watch=true`, signal)) {
    // A heartbeat is an empty line.
    if (line.trim() !== '') yield JSON.parse(line);
  }
}
