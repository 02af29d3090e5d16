import { MEMORY } from '../../../platform/index.ts';
import { labelKeyErrors } from '../../../selectors/index.ts';
import { type ObjectState, toObject } from '../../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  readCount,
  refuseListOptions,
  selectionOf,
} from '../../http/index.ts';
import { presenterOf } from '../../show/index.ts';
import { badRequest, tooLarge } from '../../status/index.ts';
import type { Telling } from '../list-objects.ts';
import { versionAt } from '../version-at.ts';
import { refuseOptions } from './refuse-options.ts';

/** The limit of objects to sort. */
const MOST = 5_000;

interface Order {
  readonly key: string;
  readonly isDescending: boolean;
}

/**
 * `?sortBy=version`: the objects of a LIST by the value of a label; `-version` is the descending order. Objects with
 * the same value are in the order of names, and those without the label at the end. With a limit, the answer has only
 * the first objects.
 */
export async function listSorted(call: Call, telling: Telling): Promise<Answer> {
  const { options, request, route } = call;
  const { query } = request;
  const present = await presenterOf(call);
  refuseListOptions(query, 'list');
  refuseOptions(query, 'sortBy', ['continue', 'resourceVersion']);
  const order = readOrder(query.get('sortBy') ?? '');
  const wanted = { ...selectionOf(route, query), limit: MOST, mostHeap: MEMORY.list };
  const at = await versionAt(call);
  const page = await options.store.list(collectionOfCall(call), {
    ...wanted,
    ...(at !== undefined && { at }),
    explain: telling.explains,
  });
  if (page.next !== undefined) {
    throw tooLarge(
      `too many objects to sort: the limit is ${MOST} objects or ${MEMORY.list / 2 ** 20} MiB. Narrow the selector, or list in pages and sort on the client`,
    );
  }
  const metadata = { resourceVersion: String(page.rv) };
  const items = sorted(page.items, order).slice(0, readCount(query, 'limit') || MOST);
  const list = () => present.list(items.map(toObject), metadata);
  return telling.answer({ plan: page.plan, metadata, list });
}

/** @throws ApiError 400 the label key is invalid */
function readOrder(text: string): Order {
  const isDescending = text.startsWith('-');
  const key = isDescending ? text.slice(1) : text;
  const [fault] = labelKeyErrors(key);
  if (fault !== undefined) {
    throw badRequest(`sortBy: ${JSON.stringify(key)} is not a valid label key: ${fault}`);
  }
  return { key, isDescending };
}

/** The sorted objects. A LIST is in the order of names, and the stable sort keeps it for equal values. */
function sorted(objects: readonly ObjectState[], { key, isDescending }: Order): ObjectState[] {
  const has = ({ labels }: ObjectState) => Object.hasOwn(labels, key);
  const textOf = ({ labels }: ObjectState) => labels[key] ?? '';
  const compared = (left: ObjectState, right: ObjectState) => {
    if (textOf(left) === textOf(right)) return 0;
    return textOf(left) < textOf(right) !== isDescending ? -1 : 1;
  };
  return [...objects.filter(has).sort(compared), ...objects.filter((object) => !has(object))];
}
