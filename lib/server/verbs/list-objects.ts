import type { JsonObject } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { MEMORY, TIMING } from '../../platform/index.ts';
import {
  eachPage,
  GoneError,
  type ListPage,
  type ListPlan,
  type ListRequest,
  type Store,
  toObject,
} from '../../store/index.ts';
import {
  type Answer,
  type Authorization,
  type Call,
  collectionOfCall,
  isTrue,
  prefersYaml,
  readCount,
  readVersion,
  refuseListOptions,
  selectionOf,
} from '../http/index.ts';
import {
  EXPLAIN_HEADER,
  type Explain,
  listPieces,
  listText,
  loadPlanForms,
  type Presenter,
  presenterOf,
  readExplain,
} from '../show/index.ts';
import { ApiError, badRequest, expired, mapError, tooLarge, versionAhead } from '../status/index.ts';
import { decodeContinue, encodeContinue, type TokenOwner } from './continue-token.ts';

/**
 * LIST. The default is the most recent state. Every page shows the state at the first page's resourceVersion. A list
 * that exceeds the memory limit is streamed while it is read, if the answer can be streamed. Otherwise a whole list is
 * refused, and a page ends early.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list
 */
export async function listObjects(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const present = await presenterOf(call);
  refuseListOptions(request.query, 'list');
  const telling = tellingOf(call);
  const owner = { route, selection: selectionOf(route, request.query), seal: call.permit?.seal };
  const { limit, ...position } = await pageOf(call, owner);
  const isWhole = limit === undefined;
  const flows =
    !telling.explains && options.maximumBytes === undefined && !prefersYaml(request.headers.accept);
  const isLoose = !isWhole && flows && isOfAnyAge(request.query);
  const mostHeap = isLoose ? MEMORY.page : isWhole && flows ? MEMORY.stretch : MEMORY.list;
  const wanted = { ...owner.selection, ...position, ...(isWhole || isLoose ? {} : { limit }), mostHeap };
  const page = await readPage(call, { ...wanted, explain: telling.explains });
  refuseOlder(request.query, page);
  if (isWhole && page.next !== undefined) {
    if (flows) return flowing({ call, present, wanted, page });
    throw tooLarge(
      `the objects take more than ${MEMORY.list} bytes of memory, which is the limit for one list; list in pages with limit and continue`,
    );
  }
  const metadata = metadataOf(owner, page);
  if (present.members !== undefined && !telling.explains && !isTrue(request.query.get('pretty'))) {
    return { status: 200, json: listText(present, metadata, page.items) };
  }
  const list = () => present.list(page.items.map(toObject), metadata);
  return telling.answer({ plan: page.plan, metadata, list });
}

/** The form of the answer to a LIST: the objects, or the plan that found them. */
export interface Telling {
  /** Whether the answer needs a plan. */
  readonly explains: boolean;
  answer(found: Partial<Pick<Explained, 'plan'>> & Omit<Explained, 'plan'>): Promise<Answer>;
}

/** @throws ApiError 400 `explain` is invalid; 403 the caller may not see the plan */
export function tellingOf({ request, route, permit }: Call): Telling {
  const explain = readExplain(request.query, route.verb);
  if (explain !== undefined) demandWhole(route.type, permit);
  return {
    explains: explain !== undefined,
    answer: async ({ plan, metadata, list }) =>
      explain === undefined || plan === undefined
        ? { status: 200, value: list() }
        : explained(explain, { plan, metadata, list }),
  };
}

/**
 * Demands permission to list the whole collection. A plan shows facts about it even if only one namespace is listed:
 * which label keys have an index, how many objects have a label, and how often objects change.
 *
 * @throws ApiError 403 the caller may not list the whole collection
 */
function demandWhole({ group: apiGroup, resource }: ResourceType, permit: Authorization | undefined): void {
  try {
    permit?.demand({ verb: 'list', apiGroup, resource, subresource: '', namespace: '', name: '' });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error;
    const { code, reason, message, details } = error;
    const why =
      'explain shows facts about the whole collection, so it needs permission to list all of its objects';
    throw new ApiError(code, reason, `${message}: ${why}`, details);
  }
}

interface Flow {
  readonly call: Call;
  readonly present: Presenter;
  readonly wanted: ListRequest;
  /** The first page. */
  readonly page: ListPage;
}

/** An answer that is streamed while the pages are read. */
function flowing({ call, present, wanted, page }: Flow): Answer {
  const pages = pagesFrom(page, call, wanted);
  const pretty = isTrue(call.request.query.get('pretty'));
  const metadata = { resourceVersion: String(page.rv) };
  return { status: 200, pieces: listPieces({ present, metadata, pages, pretty }) };
}

/**
 * The first page and all that follow it. Each read has the timeout of a request of its own, because clients take time
 * too. An error cannot be sent to the client, because the answer has begun: the answer breaks off.
 */
async function* pagesFrom(first: ListPage, call: Call, wanted: ListRequest): AsyncGenerator<ListPage> {
  const { options, route, lasting } = call;
  const { clock, logger } = options;
  const { type } = route;
  const list: Store['list'] = (collection, asked) => {
    const deadline = AbortSignal.any([lasting, clock.deadline(TIMING.request)]);
    return options.store.within(deadline).list(collection, asked);
  };
  yield first;
  try {
    yield* eachPage({ list }, collectionOfCall(call), { ...wanted, at: first.rv, after: first.next });
  } catch (error) {
    logger.warn('a list ended early', { why: mapError(error, { logger, type }).message });
    throw error;
  }
}

interface Explained {
  readonly metadata: JsonObject;
  readonly plan: ListPlan;
  list(): JsonObject;
}

async function explained(explain: Explain, { metadata, plan, list }: Explained): Promise<Answer> {
  const { explainHeader, explainTable, explainText } = await loadPlanForms();
  const answer = { status: 200, headers: { [EXPLAIN_HEADER]: explainHeader(plan) } };
  switch (explain) {
    case 'table':
      return { ...answer, value: explainTable(plan, metadata) };
    case 'text':
      return { ...answer, text: explainText(plan) };
    case 'header':
      return { ...answer, value: list() };
    default:
      return explain satisfies never;
  }
}

/** The list's metadata. As in Kubernetes, remainingItemCount is set only without selectors, and only if it is known. */
function metadataOf(owner: TokenOwner, { rv, next, remaining }: ListPage): JsonObject {
  const resourceVersion = String(rv);
  if (next === undefined) return { resourceVersion };
  const token = { resourceVersion, continue: encodeContinue(owner, { rv, last: next }) };
  const { selector, fields } = owner.selection;
  const isAll = selector.isEmpty && fields === '';
  return isAll && remaining !== undefined ? { ...token, remainingItemCount: remaining } : token;
}

type Page = Pick<ListRequest, 'limit' | 'at' | 'after'>;

async function pageOf(call: Call, owner: TokenOwner): Promise<Page> {
  const { query } = call.request;
  const limit = readCount(query, 'limit');
  const at = query.has('at') ? await (await import('./version-at.ts')).versionAt(call) : undefined;
  const position = at === undefined ? positionOf(owner, query, limit) : { at };
  return { ...(limit > 0 ? { limit } : {}), ...position };
}

/**
 * Whether this is the first LIST of an informer: resourceVersion 0 and no continue token. Kubernetes ignores its limit
 * and answers all objects from its cache. Winnow answers as much as one page may hold.
 */
function isOfAnyAge(query: URLSearchParams): boolean {
  return readVersion(query) === 0 && (query.get('continue') ?? '') === '';
}

function positionOf(owner: TokenOwner, query: URLSearchParams, limit: number): Page {
  const token = query.get('continue') ?? '';
  const rv = readVersion(query) ?? 0;
  if (token !== '') {
    if (rv !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    const { rv: at, last } = decodeContinue(owner, token);
    return { at, after: last };
  }
  return rv > 0 && isExact(query, limit) ? { at: rv } : {};
}

/** Whether the resourceVersion must match exactly. As upstream, a limit without a resourceVersionMatch means Exact. */
function isExact(query: URLSearchParams, limit: number): boolean {
  const match = query.get('resourceVersionMatch') ?? '';
  return match === 'Exact' || (match === '' && limit > 0);
}

async function readPage(call: Call, wanted: ListRequest): Promise<ListPage> {
  try {
    return await call.options.store.list(collectionOfCall(call), wanted);
  } catch (error) {
    if (error instanceof GoneError && wanted.after !== undefined) {
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
      );
    }
    throw error;
  }
}

/** Refuses a "not older than" resourceVersion in the future, that is, above the resourceVersion of this newest page. */
function refuseOlder(query: URLSearchParams, { rv }: ListPage): void {
  const atLeast = readVersion(query) ?? 0;
  if (atLeast > rv) throw versionAhead(`Too large resource version: ${atLeast}, current: ${rv}`);
}
