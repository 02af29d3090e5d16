import { createHints } from '../../../lib/coordination/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { type AuthorLife, TIMING } from '../../../lib/platform/index.ts';
import {
  type Api,
  type ApiOptions,
  type ApiRequest,
  createApi,
  readingVerbs,
  type UserInfo,
  writingVerbs,
} from '../../../lib/server/index.ts';
import { createWatches } from '../../../lib/store/index.ts';
import { ADMIN } from '../../support/service/admin.ts';
import type { Cluster } from '../actors/cluster.ts';
import type { Range } from '../world/chance.ts';
import { type Given, Lambda, startProcess } from '../world/lambda.ts';
import type { Ended, Process } from '../world/process.ts';

export interface Asked {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly body?: JsonObject | readonly JsonObject[];
  /** The media type of the body; absent for JSON. */
  readonly contentType?: string;
  /** The user and principal of the caller; absent: an administrator. */
  readonly user?: UserInfo;
  readonly principal?: string;
  /** The object that must exist for the caller's credentials to be valid; absent: none. */
  readonly bound?: ApiRequest['bound'];
  /** The time in ms after which the caller stops waiting; absent: the gateway's timeout. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
  /**
   * Receives the status as soon as it is known, and `hears` each line of a stream as it arrives. Both are called even
   * if the function dies during the request.
   */
  answered?(status: number): void;
  hears?(line: JsonObject): void;
}

/** An answer; that of a watch holds its events. */
export interface Answered {
  readonly status: number;
  readonly objects: readonly JsonObject[];
}

/** Sends a request. Returns undefined if the client receives no answer. */
export type Ask = (asked: Asked) => Promise<Answered | undefined>;

/**
 * Options of the API. `authorLife`: how long Winnow delivers for a user after its last request. If set, the API
 * records the users that it has seen. `auditPause`: the time in ms in which an audit log, which records nothing, begins
 * the event of a request.
 */
export interface Serving {
  readonly authorLife?: AuthorLife;
  readonly auditPause?: Range | undefined;
  /** Returns what calls of admission webhooks need in a process. */
  readonly webhooks?: (given: Given) => ApiOptions['webhooks'];
}

/**
 * Serves the whole API in functions of the simulated world. Only this API serves custom kinds; the layers below it do
 * not.
 */
export function serveApi(cluster: Cluster, serving: Serving = {}): Ask {
  const lambda = new Lambda(cluster.world, 'api', (given) => ({ api: apiOf(cluster, given, serving) }));
  return async (asked) =>
    answerOf(await lambda.invoke(asked.patience ?? TIMING.gateway, ({ api }) => send(api, asked)));
}

/** The same in one process that serves all requests, as `winnow start` does. After its death another process starts. */
export function serveTogether(cluster: Cluster, options: Serving = {}): Ask {
  let started = 0;
  let serving: { readonly process: Process; readonly api: Api } | undefined;
  const current = () => {
    if (serving !== undefined && !serving.process.isDead) return serving;
    const { process, given } = startProcess(cluster.world, `server-${started++}`);
    serving = { process, api: apiOf(cluster, given, options) };
    return serving;
  };
  return async (asked) => {
    const { process, api } = current();
    return answerOf(await process.run(() => send(api, asked), asked.patience ?? TIMING.gateway));
  };
}

function apiOf(cluster: Cluster, given: Given, { auditPause, webhooks, ...serving }: Serving): Api {
  const { logger, queues, clock } = given;
  const { chance } = cluster.world;
  const { followsAll } = cluster;
  const hints = createHints({ queues, queueUrl: cluster.eventQueueUrl, logger, followsAll });
  return createApi({
    ...given,
    ...serving,
    webhooks: webhooks?.(given),
    ...(auditPause && {
      auditing: async () => ({
        begin: async () => {
          await clock.sleep(chance.within(auditPause));
          return undefined;
        },
      }),
    }),
    watches: createWatches(given),
    announce: hints.announce,
    verbs: { ...readingVerbs, ...writingVerbs },
  });
}

function answerOf(ended: Ended<Answered>): Answered | undefined {
  return ended.how === 'done' ? ended.result : undefined;
}

/** Sends a request, and reads the whole answer. */
export async function send(api: Api, asked: Asked): Promise<Answered> {
  const { method, url, body, contentType, user = ADMIN, principal, bound, signal } = asked;
  const { pathname, searchParams } = new URL(url, 'http://winnow');
  const request = {
    method,
    path: pathname,
    query: searchParams,
    headers: { 'content-type': contentType ?? 'application/json', 'user-agent': 'client' },
    user,
    ...(principal === undefined ? {} : { principal }),
    ...(bound === undefined ? {} : { bound }),
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  };
  const { status, body: answer } = await api.handle(request, signal ?? new AbortController().signal);
  asked.answered?.(status);
  const text = typeof answer === 'string' ? answer : await whole(answer, asked);
  const isPage = !text.startsWith('{');
  return {
    status,
    objects: isPage
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
  };
}

async function whole(
  body: Uint8Array | AsyncIterable<string | Uint8Array>,
  { hears }: Pick<Asked, 'hears'>,
): Promise<string> {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = '';
  for await (const part of body) {
    const some = typeof part === 'string' ? part : new TextDecoder().decode(part);
    if (some.startsWith('{')) hears?.(JSON.parse(some));
    text += some;
  }
  return text;
}
