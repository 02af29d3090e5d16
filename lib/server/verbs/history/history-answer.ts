import type { JsonObject } from '../../../json/index.ts';
import type { Scope } from '../../../kubernetes/rbac/index.ts';
import type { ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { type ChangesBackPage, HISTORY_SCHEMA, type HistoryPage, type Store } from '../../../store/index.ts';
import { type Answer, asServer, type Call } from '../../http/index.ts';
import { presenterOf } from '../../show/index.ts';
import { forbidden, serviceUnavailable } from '../../status/index.ts';
import { HISTORY_TYPE } from './history-type.ts';

/** The reason why the last page ends. `NotVisible`: the caller may not see what was before. */
export type End = NonNullable<HistoryPage['end'] | ChangesBackPage['end']> | 'NotVisible';

/** One page of history: `next` is the continue token, and `end` is there on the last page. */
export interface HistoryPageShown {
  readonly items: readonly JsonObject[];
  readonly resourceVersion?: string | undefined;
  readonly next?: string | undefined;
  readonly end?: End | undefined;
}

/** The warnings with a Table, which has no place for the reason why it ends. */
const WARNINGS: Readonly<Partial<Record<End, string>>> = {
  Expired: 'older changes have expired',
  Missing: 'older changes are not in the journal',
  NotVisible: 'there may be older changes that you may not see',
  Redefined: 'older changes belong to a former definition of the kind',
};

/** Shows pages in the form that the client requested. @throws ApiError 406 */
export async function historyPresenter(call: Call): Promise<(page: HistoryPageShown) => Answer> {
  const present = await presenterOf({
    ...call,
    route: { ...call.route, type: HISTORY_TYPE, verb: 'list', name: '' },
  });
  return ({ items, resourceVersion, next, end }) => {
    const metadata = {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(next !== undefined && { continue: next }),
    };
    const list = present.list(items, metadata);
    if (list.kind === `${HISTORY_TYPE.kind}List`) {
      return { status: 200, value: { ...list, ...(end !== undefined && { end }) } };
    }
    const warning = end === undefined ? undefined : WARNINGS[end];
    return { status: 200, value: list, ...(warning !== undefined && { warnings: [warning] }) };
  };
}

/** The store with every change, and the scope of the caller, which the verb must apply to each. */
export interface WholeHistory {
  readonly store: Store;
  /** Undefined means all objects. */
  readonly scope: Scope | undefined;
}

/**
 * The history of a type. A limited caller sees Events by the objects that they are about, whose past labels no index
 * has.
 *
 * @throws ApiError 403 the history of Events for a caller with limited access
 */
export function wholeHistory({ options, permit }: Call, type: ResourceType): WholeHistory {
  const scope = permit?.scope;
  if (scope !== undefined && type.isEvent === true) {
    const why = `history of Events is not available to users whose access is limited to objects that match ${scope}`;
    throw forbidden(type, '', why);
  }
  return { store: asServer(options).store, scope };
}

/** @throws ApiError 503 the rows of the table are older than history */
export async function demandHistory(store: Store): Promise<void> {
  if ((await store.schema()) >= HISTORY_SCHEMA) return;
  throw serviceUnavailable(
    `history needs row schema version ${HISTORY_SCHEMA}. Ask an administrator to run: winnow upgrade --raise`,
  );
}
