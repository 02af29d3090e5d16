import {
  findResourceType,
  type ResourceType,
  resourceTypes,
  SELECTED,
} from '../kubernetes/resource-types/index.ts';
import { TIMING } from '../platform/index.ts';
import type { Origin, Store } from '../store/index.ts';
import type { Admitted, AuthorizationRequest, Permission, RequestAuthorizer } from './access/index.ts';
import { Deciding, isDecided, readingAgain, replayedRandom } from './deciding.ts';
import {
  type Answer,
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  type AuditTrail,
  type Call,
  compressResponse,
  encodeAnswer,
  encodeError,
  inYaml,
  isOfGroup,
  MASTERS,
  managerOf,
  observe,
  type ResourceRoute,
  refuseTooLong,
  routeOf,
} from './http/index.ts';
import type { ProcessRules, Said } from './opened-rules.ts';
import { reachTable } from './reach-table.ts';
import { refuseOverBudget } from './refuse-over-budget.ts';
import { CustomTypes, carryingStore, isAboutCustom, StaleTypeError, viewOf } from './registry/index.ts';
import { readExplain } from './show/index.ts';
import { Sightings } from './sightings/index.ts';
import { type Rehearsal, type SpecialRequest, specialKind } from './special-kinds.ts';
import {
  ApiError,
  mapError,
  methodNotAllowed,
  NoSuchPageError,
  NoSuchPathError,
  tooLarge,
  unsupportedMediaType,
} from './status/index.ts';

/** Kubernetes' limit for request bodies, in bytes. The limit for stored objects is lower. */
const LONGEST_BODY = 3 * 1024 * 1024;
/** The most times that one request is parsed. It is parsed again if its custom kind has changed meanwhile. */
const READINGS = 5;

export interface Api {
  /** Handles a request. Never rejects: each error becomes a Status. */
  handle(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse>;
}

/** The Kubernetes REST API over a store and its watches. */
export function createApi(options: ApiOptions): Api {
  const types = new CustomTypes(options.clock);
  let opened: Promise<RequestAuthorizer> | undefined;
  const gate = () => {
    opened ??= openGate();
    return opened;
  };
  const { authorLife: life } = options;
  const sightings = life && new Sightings({ ...options, life });
  const serving = { ...options, types, gate, rules: {}, sightings };
  return { handle: (request, signal) => handle(serving, request, signal) };
}

interface Serving extends ApiOptions {
  readonly types: CustomTypes;
  /** The authorizer of this process. The first request of a caller outside `system:masters` loads it. */
  gate(): Promise<RequestAuthorizer>;
  readonly rules: ProcessRules;
  readonly sightings: Sightings | undefined;
}

async function openGate(): Promise<RequestAuthorizer> {
  const { RequestAuthorizer } = await import('./access/index.ts');
  return new RequestAuthorizer();
}

/** A request before authorization. */
interface Arrived {
  readonly request: ApiRequest;
  /** Aborts when the client has disconnected or the function's time is over. */
  readonly lasting: AbortSignal;
  readonly signal: AbortSignal;
}

/** A request after authorization. */
interface Authorized extends Arrived {
  /** The permission; undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
  /** Takes the warnings and audit annotations of admission rules, also of a request that fails. */
  readonly ruled: (said: Said) => void;
}

async function handle(options: Serving, given: ApiRequest, lasting: AbortSignal): Promise<ApiResponse> {
  const { clock, logger } = options;
  const began = clock.now();
  let request = given;
  let route: ResourceRoute | undefined;
  let trail: AuditTrail | undefined;
  let noting: Promise<void> | undefined;
  const answered = (response: ApiResponse) => {
    observe(options, { request, given, route, began, response });
    if (trail === undefined) return response;
    const told = trail.answered(response, { lasts: route?.verb === 'watch' });
    return trail.settled().then(() => told);
  };
  const accepted = () => trail?.accepted();
  const routed = (found: ResourceRoute) => {
    route = found;
  };
  let warnings: readonly string[] = [];
  const ruled = (said: Said) => {
    warnings = said.warnings;
    if (said.annotations.size > 0) trail?.annotated(said.annotations);
  };
  try {
    const signal = AbortSignal.any([lasting, clock.deadline(await timeOf(given))]);
    const auditing = await options.auditing?.();
    const begin = async (asker: ApiRequest) => {
      trail = await auditing?.begin(asker);
      return trail;
    };
    await refuseOverBudget(options, request).catch(async (error: unknown) => {
      await begin(request);
      throw error;
    });
    await refuseEnded(options, { request, lasting, signal }).catch(async (error: unknown) => {
      (await begin(request))?.decided({ allowed: false, reason: 'the login is not valid any more' });
      throw error;
    });
    noting = options.sightings?.note(options.store.within(signal), request);
    const arrived = { request, lasting, signal };
    const admission = await admitted(options, arrived, auditing === undefined ? undefined : begin);
    request = admission.request;
    refuseBody(request);
    await accepted();
    const response = await respond(options, { ...admission, lasting, signal, ruled }, routed);
    const compressed = await compressResponse(request, response);
    refuseTooLong(compressed, options.maximumBytes);
    await noting;
    return answered(compressed);
  } catch (error) {
    await noting;
    const { type, name } = route ?? {};
    const refusal = mapError(error, { logger, type, name, writes: request.method !== 'GET' });
    const told = [...warningsOf(route?.type), ...warnings];
    return answered(await inYaml(request, encodeError(request, refusal, told)));
  }
}

/** @throws ApiError 401 the login has expired, or an object that it is bound to no longer exists */
async function refuseEnded({ clock, store }: Serving, { request, signal }: Arrived): Promise<void> {
  const { expires, bound } = request;
  const now = clock.now();
  // API Gateway caches the authorizer's result for a minute, even if the token expires within that minute.
  if (expires !== undefined && expires <= now) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  if (bound === undefined) return;
  const { refuseUnbound } = await import('./access/refuse-unbound.ts');
  await refuseUnbound(store.within(signal), bound, now);
}

/** The time of a request, in ms. Most requests name none, and do not load the code that reads it. */
async function timeOf({ query }: ApiRequest): Promise<number> {
  if (!query.has('timeout')) return TIMING.request;
  const { readTimeout } = await import('./http/read-timeout.ts');
  return readTimeout(query) ?? TIMING.request;
}

/** Authorizes a request, and determines its effective user. @throws ApiError 403 */
async function admitted(
  { gate, store }: Serving,
  { request, lasting, signal }: Arrived,
  begin: AuthorizationRequest['begin'],
): Promise<Admitted> {
  const { user, impersonation } = request;
  if (user.groups.includes(MASTERS) && impersonation === undefined && begin === undefined) {
    return { request, permission: undefined };
  }
  const opened = await gate();
  return opened.admit({ request, store: store.within(signal), lasting: store.within(lasting), begin });
}

async function respond(
  options: Serving,
  asked: Authorized,
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
      if (found !== undefined) return found;
      const { serveDocuments } = await import('./documents/index.ts');
      const { openApi } = options;
      return serveDocuments(request, all, { openApi, table: () => reachTable(options, signal) });
    });
    if (!('verb' in route)) return route;
    routed(route);
    try {
      return await inYaml(request, encodeAnswer(request, await perform(options, asked, route)));
    } catch (error) {
      if (!(error instanceof StaleTypeError) || reading === READINGS) throw error;
    }
  }
}

/** @throws NoSuchPageError the path does not exist, and its group is not built in */
async function onPages<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof NoSuchPathError && !isOfGroup(path, resourceTypes) ? new NoSuchPageError() : error;
  }
}

async function perform(options: Serving, asked: Authorized, route: ResourceRoute) {
  const { request, lasting, signal: bounded, permission } = asked;
  const { type } = route;
  const verb = options.verbs[route.verb];
  if (verb === undefined) throw methodNotAllowed();
  readExplain(request.query, route.verb);
  // A watch has its own timeout.
  const signal = route.verb === 'watch' ? lasting : bounded;
  const isWrite = request.method !== 'GET';
  const isRuled = isWrite && isDecided(type);
  // Authorization has read the versions of the admission rules, except for members of `system:masters`.
  const within = options.store.within(signal, originOf(request), {
    rules: isRuled && permission === undefined,
  });
  const random = isRuled ? replayedRandom(options.random) : undefined;
  const own = random === undefined ? within : readingAgain(within, random);
  const store = isWrite ? await writtenThrough(options, { own, request, route, permission }) : own;
  const shown = await specialKind(type).viewThrough?.(store, { options, type, request });
  const seen = await viewOf({ ...options, store: shown ?? store }, route);
  const customTypes = async () => (await options.types.current(own)).types;
  const visible =
    permission !== undefined && seesSome(permission, route)
      ? (await import('./scoped/index.ts')).scopedView({
          ...seen,
          route,
          permission,
          customTypes,
          clock: options.clock,
        })
      : seen;
  const policy = async () => permission?.policy ?? (await options.gate()).policy(own);
  const rules = isRuled
    ? new Deciding({ options, store: own, request, route, permission, policy })
    : undefined;
  const call = {
    options: { ...options, ...(random && { random }), ...visible, customTypes },
    request,
    route,
    signal,
    lasting,
    permit: permission,
    policy,
    ...(rules !== undefined && { decide: rules.decide, mutate: rules.mutate }),
  };
  let said: Said | undefined;
  const answer = await performed(verb, call, rules).finally(async () => {
    said = await rules?.said();
    if (said !== undefined) asked.ruled(said);
  });
  return withWarnings(answer, [
    ...warningsOf(type),
    ...(said?.warnings ?? []),
    ...(await creationWarnings({ options, type, request }, answer)),
    ...(await rehearsalWarnings(
      { options, type, request, store: own, mayList: listing(permission) },
      answer,
    )),
  ]);
}

/** The answer of a verb, which may begin again ({@link Deciding.mustRestart}). */
async function performed(
  verb: (call: Call) => Promise<Answer>,
  call: Call,
  rules: Deciding | undefined,
): Promise<Answer> {
  for (;;) {
    try {
      return await verb(call);
    } catch (error) {
      if (rules === undefined || !(await rules.mustRestart(error))) throw error;
    }
  }
}

/** The warnings about the result of a dry run that changes an object. */
async function rehearsalWarnings(rehearsal: Rehearsal, answer: Answer): Promise<readonly string[]> {
  const { type, request } = rehearsal;
  const isRehearsal = ['PUT', 'PATCH'].includes(request.method) && request.query.has('dryRun');
  if (!isRehearsal || answer.status !== 200 || !('value' in answer)) return [];
  return (await specialKind(type).rehearsed?.(answer.value, rehearsal)) ?? [];
}

/** Whether a caller may list all objects of a type. */
function listing(permission: Permission | undefined): Rehearsal['mayList'] {
  return ({ group: apiGroup, resource }) => {
    const access = { verb: 'list', apiGroup, resource, subresource: '', namespace: '', name: '' };
    return permission?.judge(access).allowed ?? true;
  };
}

/** The warnings about an object that was created. */
async function creationWarnings(request: SpecialRequest, answer: Answer): Promise<readonly string[]> {
  if (answer.status !== 201 || !('value' in answer)) return [];
  return (await specialKind(request.type).warnings?.(answer.value, request)) ?? [];
}

/** Whether the caller has limited access to these objects, or to the objects that the requested object selects. */
function seesSome({ scope }: Permission, { subresource }: ResourceRoute): boolean {
  return scope !== undefined || subresource === SELECTED.name;
}

function originOf(request: ApiRequest): Origin {
  const { auditID, user, method } = request;
  const manager = method === 'GET' ? '' : managerOf(request);
  return { auditID, user: user.username, ...(manager !== '' && { manager }) };
}

interface Writing {
  readonly own: Store;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  readonly permission: Permission | undefined;
}

/**
 * Returns the store of a request that writes. It adds checks and rows that are independent of the verb. For callers
 * outside `system:masters`, it refuses writes that give more than the caller has.
 */
async function writtenThrough(
  options: Serving,
  { own, request, route, permission }: Writing,
): Promise<Store> {
  const { type } = route;
  const saved = (await specialKind(type).saveThrough?.(own, { options, type, request })) ?? own;
  if (permission === undefined) return carryingStore(saved, type);
  const { node } = permission;
  const restricted =
    node === undefined ? saved : (await import('./nodes/index.ts')).restrictedStore(saved, { node, route });
  const { authorOf, guardedStore } = await import('./access/index.ts');
  const types = async () => {
    const custom = await options.types.recent(own, TIMING.definitionLook);
    return [...resourceTypes, ...custom.types];
  };
  const guarded = guardedStore(restricted, { permission, route, author: authorOf(request), types });
  return carryingStore(guarded, type);
}

/** The warnings for all requests of a type. */
function warningsOf(type: ResourceType | undefined): readonly string[] {
  const warning = type?.custom?.warning ?? type?.warning;
  return warning === undefined ? [] : [warning];
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (!('value' in answer || 'json' in answer) || warnings.length === 0) return answer;
  return { ...answer, warnings: [...warnings, ...(answer.warnings ?? [])] };
}

function refuseBody({ body, headers }: ApiRequest): void {
  if (body === undefined) return;
  if (body.length > LONGEST_BODY) {
    throw tooLarge(`the body is ${body.length} bytes, the limit is ${LONGEST_BODY}`);
  }
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') {
    throw unsupportedMediaType(
      `the body of the request is compressed (${coding}); send it without compression`,
    );
  }
}
