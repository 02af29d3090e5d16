import { text } from 'node:stream/consumers';
import { isJsonObject } from '../../lib/json/index.ts';
import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
} from '../../lib/platform/index.ts';
import { type Api, type ApiResponse, createApi, readingVerbs, writingVerbs } from '../../lib/server/index.ts';
import { openTable } from '../../lib/store/dynamodb/index.ts';
import { createStore } from '../../lib/store/index.ts';
import type { Reply } from '../connection/index.ts';
import type { Target } from './write-target.ts';

/** The user for direct writes. The table has no login: a process that can write the table may do everything. */
const USER = { username: 'winnow:import', groups: ['system:masters', 'system:authenticated'] };

/**
 * Runs the API on a table in this process, so that the caller can set the uids of objects. The table's stream passes the
 * writes on to dispatch.
 */
export function tableTarget(tableName: string, signal: AbortSignal): Target {
  const table = openTable({ tableName, clock });
  const store = createStore({ table, clock, random, logger });
  const apiOf = (uid: string | undefined): Api =>
    createApi({
      verbs: { ...readingVerbs, ...writingVerbs },
      store,
      watches: { open: () => Promise.reject(new Error('an import serves no watches')) },
      clock,
      random: uid === undefined ? random : { ...random, uuid: () => uid },
      logger,
      announce: () => Promise.resolve(),
    });
  const usual = apiOf(undefined);
  return {
    name: `the table ${tableName}`,
    keepsUids: true,
    send: async (method, path, { body, contentType = 'application/json', uid } = {}) => {
      signal.throwIfAborted();
      const { pathname, searchParams: query } = new URL(path, 'http://table');
      const headers = { accept: 'application/json', ...(body && { 'content-type': contentType }) };
      const sent = body && { body: Buffer.from(JSON.stringify(body)) };
      const api = uid === undefined ? usual : apiOf(uid);
      return replyOf(
        await api.handle({ method, path: pathname, query, headers, user: USER, ...sent }, signal),
      );
    },
  };
}

async function replyOf({ status, body }: ApiResponse): Promise<Reply> {
  const said = typeof body === 'string' ? body : body instanceof Uint8Array ? decode(body) : await text(body);
  const value: unknown = JSON.parse(said);
  return { status, text: said, body: isJsonObject(value as never) ? (value as Reply['body']) : undefined };
}

const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString();
