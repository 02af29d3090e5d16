import { TIMING } from '../platform/index.ts';
import { serveDocuments } from './documents/index.ts';
import {
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  type Call,
  compressResponse,
  encodeAnswer,
  encodeError,
  observe,
  type ResourceRoute,
  refuseTooLong,
  routeOf,
} from './http/index.ts';
import { readExplain } from './show/index.ts';
import { mapError, methodNotAllowed, tooLarge, unsupportedMediaType } from './status/index.ts';

/** Upstream's limit on request bodies in bytes; what may be stored is less. */
const LONGEST_BODY = 3 * 1024 * 1024;

export interface Api {
  /** Answers a request. Never rejects: whatever goes wrong is a Status. */
  handle(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse>;
}

/** The Kubernetes REST API over a store and its watches. */
export function createApi(options: ApiOptions): Api {
  return { handle: (request, signal) => handle(options, request, signal) };
}

async function handle(options: ApiOptions, request: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
  const began = options.clock.now();
  let route: ResourceRoute | undefined;
  const answered = (response: ApiResponse) => observe(options, { request, route, began, response });
  try {
    refuseBody(request);
    route = routeOf(request.method, request.path, request.query);
    const response = await respond(options, { request, route, lasting: signal });
    const compressed = await compressResponse(request, response);
    refuseTooLong(compressed, options.maximumBytes);
    return answered(compressed);
  } catch (error) {
    const { logger } = options;
    return answered(encodeError(request, mapError(error, { logger, type: route?.type, name: route?.name })));
  }
}

async function respond(
  options: ApiOptions,
  { request, route, lasting }: Pick<Call, 'request' | 'lasting'> & { route: ResourceRoute | undefined },
): Promise<ApiResponse> {
  if (route === undefined) return serveDocuments(request);
  const verb = options.verbs[route.verb];
  if (verb === undefined) throw methodNotAllowed();
  readExplain(request.query, route.verb);
  // A watch says itself how long it lasts.
  const { clock } = options;
  const signal =
    route.verb === 'watch' ? lasting : AbortSignal.any([lasting, clock.deadline(TIMING.request)]);
  const bounded = { ...options, store: options.store.within(signal, request.auditID) };
  return encodeAnswer(request, await verb({ options: bounded, request, route, signal, lasting }));
}

function refuseBody({ body, headers }: ApiRequest): void {
  if (body === undefined) return;
  if (body.length > LONGEST_BODY) {
    throw tooLarge(`the body is ${body.length} bytes, the limit is ${LONGEST_BODY}`);
  }
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') {
    throw unsupportedMediaType(`the body of the request is compressed (${coding}); send it as it is`);
  }
}
