import type { JsonObject } from '../../../json/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  isStored,
  type ResourceType,
  resourceTypes,
} from '../../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import type { JournalChange } from '../../../store/index.ts';
import {
  type Answer,
  type Call,
  type HistoryTarget,
  isTrue,
  readCount,
  readHistoryTarget,
  readTime,
  selectionOf,
} from '../../http/index.ts';
import { showOf } from '../../registry/index.ts';
import { badRequest } from '../../status/index.ts';
import { type ChangeSelection, changeSelection } from './change-selection.ts';
import {
  demandHistory,
  type End,
  historyPresenter,
  type WholeHistory,
  wholeHistory,
} from './history-answer.ts';
import { historyItem, type Showing } from './history-item.ts';
import { decodePosition, encodePosition } from './history-token.ts';
import { limitOf, PageBounds } from './page-bounds.ts';
import { previousOf } from './previous-of.ts';
import { seenChange } from './seen-change.ts';

/** The most journal entries that a page reads, and the fewest that are read at a time. */
const MOST = 1_000;
const FEWEST = 100;
/**
 * The time in ms for which a page searches for visible changes, for a caller with limited access. A number of entries would tell
 * how many hidden changes there are.
 */
const SEARCH = 10_000;

/**
 * LIST of `histories`: the changes of the collection that the field selector names, newest first, a page at a time. With
 * another selector: the changes of the set of objects that it selects.
 */
export async function listHistories(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { query } = request;
  const answer = await historyPresenter(call);
  const target = readHistoryTarget(query);
  const type = await typeOf(call, target);
  const history = wholeHistory(call, type);
  const within = withFields(query, target.fields);
  const selection = selectionOf({ ...route, type, verb: 'list', name: '' }, within);
  const show = await showOf(type);
  const all = isTrue(query.get('all'));
  const { namespace } = route;
  const about = [
    apiVersionOf(type),
    type.resource,
    namespace,
    `${selection.selector}`,
    selection.fields,
    all,
  ];
  const subject = { about: ['histories', ...about], seal: call.permit?.seal };
  const token = query.get('continue') ?? '';
  const position =
    token === '' ? await beginning(call, type, history) : positionIn(decodePosition(subject, token));
  const { items, next, end } = await read({
    call,
    type,
    history,
    all,
    position,
    selection: changeSelection(selection, { show, fields: target.fields }),
    showing: { type, show, states: isTrue(query.get('states')) },
    bounds: new PageBounds(limitOf(readCount(query, 'limit'), MOST), options.maximumBytes),
  });
  return answer({
    items,
    resourceVersion: String(position.head),
    ...(next === undefined ? { end } : { next: encodePosition(subject, { ...position, upTo: next }) }),
  });
}

/** @throws ApiError 400 the kind is not served, or has no namespaces but the path names one */
async function typeOf(call: Call, { group, resource }: HistoryTarget): Promise<ResourceType> {
  const among = (types: readonly ResourceType[]) => {
    const found = types.filter((type) => type.group === group && type.resource === resource);
    return found.find(isShownAsStored) ?? found[0];
  };
  const builtin = among(resourceTypes.filter(isStored));
  const custom = builtin === undefined ? ((await call.options.customTypes?.()) ?? []) : [];
  const type = builtin ?? among(custom);
  const named = group === '' ? resource : `${resource}.${group}`;
  if (type === undefined) {
    const others = [...resourceTypes.filter(isStored), ...custom]
      .filter((one) => one.resource === resource)
      .map((one) => `${one.resource}.${one.group}`);
    const instead =
      others.length === 0 ? 'see kubectl api-resources' : `use ${[...new Set(others)].join(' or ')}`;
    throw badRequest(`fieldSelector: unknown resource ${JSON.stringify(named)}: ${instead}`);
  }
  if (type.scope === 'Cluster' && call.route.namespace !== '') {
    throw badRequest(
      `fieldSelector: resource ${JSON.stringify(named)} has no namespaces: request all namespaces (kubectl: --all-namespaces)`,
    );
  }
  return type;
}

function isShownAsStored(type: ResourceType): boolean {
  return type.custom === undefined
    ? type.storedAs === undefined
    : apiVersionOf(type) === type.custom.storedAs;
}

function withFields(query: URLSearchParams, fields: string): URLSearchParams {
  const within = new URLSearchParams(query);
  within.set('fieldSelector', fields);
  return within;
}

/** The beginning of a page. The times of the first page hold for all pages. */
interface Position {
  /** The last resourceVersion of the collection when the first page was read. */
  readonly head: number;
  /** Absent on the first page of a history that ends at a time. */
  readonly upTo?: number | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

async function beginning(
  { options, request }: Call,
  type: ResourceType,
  { store }: WholeHistory,
): Promise<Position> {
  const { query } = request;
  if (!['', '0'].includes(query.get('resourceVersion') ?? '')) {
    throw badRequest('resourceVersion is not allowed with histories: use since and until');
  }
  const now = options.clock.now();
  const [since, until] = [readTime(query, 'since', now), readTime(query, 'until', now)];
  if (since !== undefined && until !== undefined && since > until) {
    throw badRequest('since is later than until: swap them');
  }
  const [head] = await Promise.all([store.head(collectionOfType(type)), demandHistory(store)]);
  return {
    head,
    ...(since !== undefined && { since }),
    ...(until === undefined ? { upTo: head } : { until }),
  };
}

function positionIn({ head = 0, upTo, since, until }: Readonly<Record<string, number>>): Position {
  if (upTo === undefined) throw badRequest('invalid continue token: it has no position');
  return { head, upTo, since, until };
}

interface Reading {
  readonly call: Call;
  readonly type: ResourceType;
  readonly history: WholeHistory;
  readonly all: boolean;
  readonly position: Position;
  readonly selection: ChangeSelection;
  readonly showing: Showing;
  readonly bounds: PageBounds;
}

interface Found {
  readonly items: readonly JsonObject[];
  /** The resourceVersion of the next page. */
  readonly next?: number;
  readonly end?: End | undefined;
}

/**
 * Reads one page. For a caller with limited access, the page ends at a visible change or after a fixed time, and its end
 * is always the same: otherwise it would tell of hidden changes.
 */
async function read(reading: Reading): Promise<Found> {
  const { call, type, history, position, bounds } = reading;
  const { since, until } = position;
  const { clock } = call.options;
  const isLimited = history.scope !== undefined;
  const deadline = clock.now() + SEARCH;
  const items: JsonObject[] = [];
  let { upTo } = position;
  let left = MOST;
  for (let wanted = Math.max(FEWEST, bounds.left); ; wanted *= 2) {
    const entries = Math.min(wanted, isLimited ? MOST : left);
    const asked = { upTo, since, until, entries, bytes: MEMORY.stretch };
    const page = await history.store.changesBack(collectionOfType(type), asked);
    for (const change of page.changes) {
      const item = itemOf(reading, change);
      if (item === undefined) continue;
      if (bounds.isFull || !bounds.add(change, item)) return { items, next: change.rv };
      items.push(item);
    }
    if (page.next === undefined) return { items, end: isLimited ? 'NotVisible' : page.end };
    upTo = page.next;
    left -= entries;
    const isOver = isLimited ? clock.now() >= deadline : left <= 0 || bounds.isFull;
    if (isOver) return { items, next: upTo };
  }
}

/** The item of a change; undefined if it is not selected, not visible, or not shown by default. */
function itemOf(
  { history, all, selection, showing }: Reading,
  change: JournalChange,
): JsonObject | undefined {
  if (!selection.mayHave(change)) return undefined;
  const seen = seenChange(change, history.scope);
  const type = seen && selection.typeOf(seen);
  if (seen === undefined || type === undefined) return undefined;
  const isShown = all || type === 'Entered' || type === 'Left' || change.changesMain;
  if (!isShown) return undefined;
  const previous = seen.before === undefined ? 0 : previousOf(change, all);
  return historyItem(seen, { type, previous }, showing);
}
