import type { JsonObject } from '../../lib/json/index.ts';
import type { Reply } from '../connection/index.ts';

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
