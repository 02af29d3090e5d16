import type { JsonObject } from '../../lib/json/index.ts';
import { Connection, openAccess, type Reply } from '../connection/index.ts';
import type { ImportOptions } from './import-command.ts';

/** What is sent to a target. */
export interface TargetRequest {
  readonly body?: JsonObject;
  readonly contentType?: string;
  /** The uid of what is created, where the target takes one. */
  readonly uid?: string;
}

/** Where objects are imported to. */
export interface Target {
  /** In words. */
  readonly name: string;
  /** Whether objects have the uids there that they are sent with. */
  readonly keepsUids: boolean;
  send(method: string, path: string, request?: TargetRequest): Promise<Reply>;
}

/** The Kubernetes API of an endpoint, or the table behind one. */
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
