import { TIMING } from '../platform/index.ts';
import {
  type Answer,
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  compressResponse,
  encodeAnswer,
  encodeError,
  isOfGroup,
  observe,
  type ResourceRoute,
  refuseTooLong,
  routeOf,
} from './http/index.ts';
import { CustomTypes, isAboutCustom, StaleTypeError, seenThrough } from './registry/index.ts';
import { findResourceType, type ResourceType, resourceTypes } from './resource-types/index.ts';
import { readExplain } from './show/index.ts';
import {
  mapError,
  methodNotAllowed,
  NoSuchPageError,
  NoSuchPathError,
  tooLarge,
  unsupportedMediaType,
} from './status/index.ts';

/** Upstream's limit on request bodies in bytes; what may be stored is less. */
const LONGEST_BODY = 3 * 1024 * 1024;
/** How often a request is read anew because its custom kind changed meanwhile. */
const READINGS = 5;

export interface Api {
  /** Answers a request. Never rejects: whatever goes wrong is a Status. */
  handle(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse>;
}

/** The Kubernetes REST API over a store and its watches. */
export function createApi(options: ApiOptions): Api {
  const types = new CustomTypes(options.clock);
  return { handle: (request, signal) => handle({ ...options, types }, request, signal) };
}

interface Serving extends ApiOptions {
  readonly types: CustomTypes;
}

/** One request under way. */
interface Asked {
  readonly request: ApiRequest;
  /** Aborts when the client is gone, and when the time of a request that is no watch is up. */
  readonly lasting: AbortSignal;
  readonly signal: AbortSignal;
}

async function handle(options: Serving, request: ApiRequest, lasting: AbortSignal): Promise<ApiResponse> {
  const { clock, logger } = options;
  const began = clock.now();
  const signal = AbortSignal.any([lasting, clock.deadline(TIMING.request)]);
  let route: ResourceRoute | undefined;
  const answered = (response: ApiResponse) => observe(options, { request, route, began, response });
  const routed = (found: ResourceRoute) => {
    route = found;
  };
  try {
    refuseBody(request);
    const response = await respond(options, { request, lasting, signal }, routed);
    const compressed = await compressResponse(request, response);
    refuseTooLong(compressed, options.maximumBytes);
    return answered(compressed);
  } catch (error) {
    const refusal = mapError(error, { logger, type: route?.type, name: route?.name });
    return answered(encodeError(request, refusal, warningsOf(route?.type)));
  }
}

async function respond(
  options: Serving,
  asked: Asked,
  routed: (route: ResourceRoute) => void,
): Promise<ApiResponse> {
  const { request, signal } = asked;
  const { types } = options;
  const known = () => types.current(options.store.within(signal));
  for (let reading = 1; ; reading += 1) {
    const custom = isAboutCustom(request.path) ? await known() : undefined;
    const all = [...resourceTypes, ...(custom?.types ?? [])];
    const route = await onPages(request.path, async () => {
      const found = routeOf(request, (...path) => findResourceType(...path) ?? custom?.find(...path));
      return found ?? (await import('./documents/index.ts')).serveDocuments(request, all);
    });
    if (!('verb' in route)) return route;
    routed(route);
    try {
      return encodeAnswer(request, await perform(options, asked, route));
    } catch (error) {
      if (!(error instanceof StaleTypeError) || reading === READINGS) throw error;
    }
  }
}

/** @throws NoSuchPageError where there is nothing, and the path's group is not built in */
async function onPages<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof NoSuchPathError && !isOfGroup(path, resourceTypes) ? new NoSuchPageError() : error;
  }
}

async function perform(options: Serving, { request, lasting, signal: bounded }: Asked, route: ResourceRoute) {
  const { type } = route;
  const verb = options.verbs[route.verb];
  if (verb === undefined) throw methodNotAllowed();
  readExplain(request.query, route.verb);
  // A watch says itself how long it lasts.
  const signal = route.verb === 'watch' ? lasting : bounded;
  const store = options.store.within(signal, request.auditID);
  const seen = await seenThrough({ ...options, store }, route);
  const answer = await verb({ options: { ...options, ...seen }, request, route, signal, lasting });
  return withWarnings(answer, warningsOf(type));
}

/** What everybody is told who asks for objects of the type. */
function warningsOf(type: ResourceType | undefined): readonly string[] {
  const warning = type?.custom?.warning ?? type?.warning;
  return warning === undefined ? [] : [warning];
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (!('value' in answer) || warnings.length === 0) return answer;
  return { ...answer, warnings: [...warnings, ...(answer.warnings ?? [])] };
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
