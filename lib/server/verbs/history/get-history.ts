import type { JsonObject } from '../../../json/index.ts';
import type { Scope } from '../../../kubernetes/rbac/index.ts';
import { apiVersionOf } from '../../../kubernetes/resource-types/index.ts';
import type { HistoryCursor, HistoryPage, HistorySight, JournalChange } from '../../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  isTrue,
  objectNameOf,
  readCount,
} from '../../http/index.ts';
import { showOf } from '../../registry/index.ts';
import { badRequest, notFound } from '../../status/index.ts';
import {
  demandHistory,
  type End,
  historyPresenter,
  type WholeHistory,
  wholeHistory,
} from './history-answer.ts';
import { historyItem, type Showing } from './history-item.ts';
import { decodePosition, encodePosition, type TokenSubject } from './history-token.ts';
import { limitOf, PageBounds } from './page-bounds.ts';
import { previousOf } from './previous-of.ts';
import { seenChange } from './seen-change.ts';

/** The most versions that a page reads. */
const MOST = 50;

/**
 * GET of `/history`: the changes of one object, newest first, a page at a time. It continues into the life of a former
 * object of the same name.
 *
 * A caller with limited access sees the present life of a visible object alone: whether an object of this name was
 * deleted before may depend on hidden objects.
 */
export async function getHistory(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type, name } = route;
  const { query } = request;
  const answer = await historyPresenter(call);
  const history = wholeHistory(call, type);
  const all = isTrue(query.get('all'));
  const about = [apiVersionOf(type), type.resource, route.namespace, name, all];
  const subject = { about, seal: call.permit?.seal };
  const from = cursorIn(subject, query.get('continue') ?? '');
  const bounds = new PageBounds(limitOf(readCount(query, 'limit'), MOST), options.maximumBytes);
  const sight = history.scope && sightOf(history.scope);
  const asked = { name: objectNameOf(call), all, limit: bounds.left, from, sight };
  const [page] = await Promise.all([
    history.store.historyOf(collectionOfCall(call), asked),
    from === undefined ? demandHistory(history.store) : undefined,
  ]);
  if (from === undefined && !isThere(page, history)) throw notFound(type, name);
  const showing = { type, show: await showOf(type), states: isTrue(query.get('states')) };
  const { items, next, end } = itemsOf(page, { history, all, showing, bounds });
  return answer({
    items,
    resourceVersion: page.present === undefined ? undefined : String(page.present.rv),
    ...(next === undefined ? { end } : { next: encodePosition(subject, { ...next }) }),
  });
}

/** The limits of a caller with limited access. */
function sightOf(scope: Scope): HistorySight {
  return {
    shows: (present) => scope.matches(present.labels),
    endsAt: (change) => {
      const seen = seenChange(change, scope);
      return seen?.after === undefined || seen.isPartial || change.type === 'ADDED';
    },
  };
}

function cursorIn(subject: TokenSubject, token: string): HistoryCursor | undefined {
  if (token === '') return undefined;
  const { rv, tombstone } = decodePosition(subject, token);
  if (rv === undefined) throw badRequest('invalid continue token: it has no position');
  return tombstone === undefined ? { rv } : { rv, tombstone };
}

/** Whether the caller may know of an object, from the first page of its history. */
function isThere({ present, changes }: HistoryPage, { scope }: WholeHistory): boolean {
  if (scope === undefined) return present !== undefined || changes.length > 0;
  return present !== undefined && scope.matches(present.labels);
}

interface Building {
  readonly history: WholeHistory;
  readonly all: boolean;
  readonly showing: Showing;
  readonly bounds: PageBounds;
}

interface Built {
  readonly items: readonly JsonObject[];
  readonly next?: HistoryCursor | undefined;
  readonly end?: End | undefined;
}

/** The items of a page, as far as its bounds and the caller's scope allow. */
function itemsOf(page: HistoryPage, { history: { scope }, all, showing, bounds }: Building): Built {
  const items: JsonObject[] = [];
  for (const [index, change] of page.changes.entries()) {
    const seen = seenChange(change, scope);
    if (seen?.after === undefined && scope !== undefined) return { items, end: 'NotVisible' };
    if (seen === undefined) continue;
    const { before, after } = seen;
    const type = before === undefined ? 'Created' : after === undefined ? 'Deleted' : 'Updated';
    const following = page.changes[index + 1]?.rv;
    const previous =
      change.type === 'ADDED' || before === undefined ? 0 : (following ?? previousOf(change, all));
    const item = historyItem(seen, { type, previous }, showing);
    if (bounds.isFull || !bounds.add(change, item)) return { items, next: cursorAt(page, index) };
    items.push(item);
    if (scope === undefined) continue;
    if (seen.isPartial) return { items, end: 'NotVisible' };
    if (change.type === 'ADDED') return { items, end: 'Created' };
  }
  return { items, next: page.next, end: page.end };
}

/** The cursor of a change within a page, for the next page to begin with. */
function cursorAt({ changes, next }: HistoryPage, index: number): HistoryCursor {
  const { rv } = changes[index] as JournalChange;
  const born = changes.findIndex(({ type }, at) => at >= index && type === 'ADDED');
  const tombstone = born === -1 ? next?.tombstone : (changes[born + 1]?.rv ?? next?.rv);
  return tombstone === undefined ? { rv } : { rv, tombstone };
}
