import { collectionOfType } from '../../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import type { Labels } from '../../../selectors/index.ts';
import { eachPage, type LabelsRead, type LabelsRequest, TooManyToCountError } from '../../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  negotiate,
  refuseListOptions,
  selectionOf,
} from '../../http/index.ts';
import { badRequest, tooLarge } from '../../status/index.ts';
import type { Telling } from '../list-objects.ts';
import { versionAt } from '../version-at.ts';
import { facetsOf, tableOf } from './facets-answer.ts';
import { LabelCounts } from './label-counts.ts';
import { readFacets } from './read-facets.ts';
import { refuseOptions } from './refuse-options.ts';

/**
 * The most objects to count: `rows` if no index has the labels and each row must be read, `candidates` if an index has
 * them.
 */
const MOST = { rows: 10_000, candidates: 100_000 };
/** The objects that a count of a past state reads at a time. */
const PAGE = 500;

/**
 * `?facets=environment,tier`: for each label key, counts the objects of a LIST by value. `facets=*` counts every key, and
 * `joint=true` the combinations of values. All counts are at the answer's resourceVersion.
 */
export async function listFacets(call: Call, telling: Telling): Promise<Answer> {
  const { request, route } = call;
  const { query } = request;
  refuseListOptions(query, 'list');
  refuseOptions(query, 'facets', ['limit', 'continue', 'resourceVersion', 'sortBy']);
  const { as } = negotiate(request.headers.accept, { streams: true });
  const wanted = readFacets(query);
  const { fields: _fields, ...selection } = selectionOf(route, query);
  const at = await versionAt(call);
  if (at !== undefined && telling.explains) {
    throw badRequest('explain is not allowed with facets and at: the objects are read in several lists');
  }
  const asked = { ...selection, most: MOST, explain: telling.explains };
  const counts = new LabelCounts(wanted);
  const read = await visitLabels(call, { asked, at }, (labels) => counts.add(labels));
  const metadata = { resourceVersion: String(read.rv) };
  const facets = { counts, keys: wanted.keys, total: read.count };
  const list = () => (as === 'Table' ? tableOf(facets, metadata) : facetsOf(facets, metadata));
  return telling.answer({ plan: read.plan, metadata, list });
}

interface Counting {
  readonly asked: LabelsRequest;
  /** The resourceVersion at which labels are counted; undefined means the latest. */
  readonly at: number | undefined;
}

/** @throws ApiError 413 too many objects match */
async function visitLabels(
  call: Call,
  { asked, at }: Counting,
  visit: (labels: Labels) => void,
): Promise<LabelsRead> {
  if (at !== undefined) return visitAt(call, { asked, at }, visit);
  try {
    return await call.options.store.visitLabels(collectionOfCall(call), asked, visit);
  } catch (error) {
    if (!(error instanceof TooManyToCountError)) throw error;
    throw tooLarge(
      error.isScan
        ? `more than ${error.limit} objects match, and without a label index the server must read each of them; narrow the request with a labelSelector such as app=web`
        : `more than ${error.limit} objects may match, which is the limit for facets; narrow the labelSelector`,
    );
  }
}

/** Visits the labels of a past state. Only a LIST can show that, so each object is read. */
async function visitAt(
  { options, route }: Pick<Call, 'options' | 'route'>,
  { asked: { most, explain: _none, ...selection }, at }: Counting & { readonly at: number },
  visit: (labels: Labels) => void,
): Promise<LabelsRead> {
  const wanted = { ...selection, at, limit: PAGE, mostHeap: MEMORY.page };
  let count = 0;
  for await (const { items } of eachPage(options.store, collectionOfType(route.type), wanted)) {
    count += items.length;
    if (count > most.rows) {
      throw tooLarge(
        `more than ${most.rows} objects match, which is the limit for facets of a past time; narrow the request with a labelSelector such as app=web`,
      );
    }
    for (const { labels } of items) visit(labels);
  }
  return { rv: at, count };
}
