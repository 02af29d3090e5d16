import { type Api, createApi, readingVerbs, writingVerbs } from '../../../lib/api/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { JsonObject } from '../../../lib/store/index.ts';
import { createHints, createWatches } from '../../../lib/watch/index.ts';
import { ADMIN } from '../../support/service/admin.ts';
import type { Cluster } from '../actors/cluster.ts';
import { Lambda } from '../world/lambda.ts';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly body?: JsonObject;
  /** What the body is; absent of JSON. */
  readonly contentType?: string;
}

/** An answer; a watch answers its events. */
export interface Answered {
  readonly status: number;
  readonly objects: readonly JsonObject[];
}

/** Answers undefined where the client never hears of it. */
export type Ask = (asked: Asked) => Promise<Answered | undefined>;

/** The whole API in functions of the simulated world: custom kinds are served by it, and by nothing below. */
export function serveApi(cluster: Cluster): Ask {
  const { world } = cluster;
  const lambda = new Lambda(world, 'api', (given) => {
    const { logger, queues } = given;
    const hints = createHints({ queues, queueUrl: cluster.eventQueueUrl, logger });
    const api = createApi({
      ...given,
      watches: createWatches(given),
      announce: (...hint) => hints.announce(...hint),
      verbs: { ...readingVerbs, ...writingVerbs },
    });
    return { api };
  });
  return async (asked) => {
    const ended = await lambda.invoke(TIMING.gateway, ({ api }) => send(api, asked));
    return ended.how === 'done' ? ended.result : undefined;
  };
}

/** Sends a request, and reads the whole answer. */
export async function send(api: Api, { method, url, body, contentType }: Asked): Promise<Answered> {
  const { pathname, searchParams } = new URL(url, 'http://winnow');
  const request = {
    method,
    path: pathname,
    query: searchParams,
    headers: { 'content-type': contentType ?? 'application/json', 'user-agent': 'client' },
    user: ADMIN,
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  };
  const { status, body: answer } = await api.handle(request, new AbortController().signal);
  const text = typeof answer === 'string' ? answer : await whole(answer);
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

async function whole(body: Uint8Array | AsyncIterable<string | Uint8Array>): Promise<string> {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = '';
  for await (const part of body) text += typeof part === 'string' ? part : new TextDecoder().decode(part);
  return text;
}
