import type { JsonObject } from '../../lib/json/index.ts';
import { Connection, openAccess, type Reply } from '../connection/index.ts';
import type { ImportOptions } from './import-options.ts';

/** A request to a target. */
export interface TargetRequest {
  readonly body?: JsonObject;
  readonly contentType?: string;
  /** The uid of the new object, if the target accepts one. */
  readonly uid?: string;
}

/** The destination of an import. */
export interface Target {
  /** For messages and the import record. */
  readonly name: string;
  /** Whether the target stores objects with the uids of the file. */
  readonly keepsUids: boolean;
  send(method: string, path: string, request?: TargetRequest): Promise<Reply>;
}

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
