import { createHints } from '../../../lib/coordination/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { type AuthorLife, TIMING } from '../../../lib/platform/index.ts';
import {
  type Api,
  type ApiRequest,
  createApi,
  readingVerbs,
  type UserInfo,
  writingVerbs,
} from '../../../lib/server/index.ts';
import { createWatches } from '../../../lib/store/index.ts';
import { ADMIN } from '../../support/service/admin.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Given, Lambda, startProcess } from '../world/lambda.ts';
import type { Ended, Process } from '../world/process.ts';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly body?: JsonObject | readonly JsonObject[];
  /** What the body is; absent of JSON. */
  readonly contentType?: string;
  /** Who asks, and as which principal; absent: an administrator. */
  readonly user?: UserInfo;
  readonly principal?: string;
  /** What has to be there for that login to count; absent: nothing. */
  readonly bound?: ApiRequest['bound'];
  /** After how long nobody waits for an answer, in ms; absent: as long as the gateway. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
  /** Told the status when there is one, and each line of a stream as it comes: also of a function that dies over it. */
  answered?(status: number): void;
  hears?(line: JsonObject): void;
}

/** An answer; a watch answers its events. */
export interface Answered {
  readonly status: number;
  readonly objects: readonly JsonObject[];
}

/** Answers undefined where the client never hears of it. */
export type Ask = (asked: Asked) => Promise<Answered | undefined>;

/** Where it notes which users it has seen: for how long they count. */
interface Serving {
  readonly authorLife?: AuthorLife;
}

/** The whole API in functions of the simulated world: custom kinds are served by it, and by nothing below. */
export function serveApi(cluster: Cluster, serving: Serving = {}): Ask {
  const lambda = new Lambda(cluster.world, 'api', (given) => ({ api: apiOf(cluster, given, serving) }));
  return async (asked) =>
    answerOf(await lambda.invoke(asked.patience ?? TIMING.gateway, ({ api }) => send(api, asked)));
}

/** The same in one process that answers all at once, as `winnow start` does; when it has died, in another. */
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

function apiOf(cluster: Cluster, given: Given, serving: Serving): Api {
  const { logger, queues } = given;
  const hints = createHints({ queues, queueUrl: cluster.eventQueueUrl, logger });
  return createApi({
    ...given,
    ...serving,
    watches: createWatches(given),
    announce: (...hint) => hints.announce(...hint),
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
