import { Connection, openAccess } from '../connection/index.ts';
import type { ImportOptions } from './import-options.ts';
import type { Target } from './write-target.ts';

/** Opens the Kubernetes API of an endpoint, or a Winnow table. */
export async function openTarget(options: ImportOptions, signal: AbortSignal): Promise<Target> {
  if (options.table !== undefined) {
    const { tableTarget } = await import('./table-target.ts');
    return tableTarget(options.table, signal);
  }
  const access = openAccess(options);
  const connection = new Connection(access, signal);
  return {
    name: access.url,
    keepsUids: false,
    send: (method, path, { body, contentType } = {}) =>
      connection.send(method, path, { ...(body && { body }), ...(contentType && { contentType }) }),
  };
}
