import type { JsonObject } from '../../../json/index.ts';
import { collectionOfType } from '../../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import { type Labels, labelKeyErrors } from '../../../selectors/index.ts';
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
import { refuseOptions } from './refuse-options.ts';

/** The limits of label keys in a request, and of values of one key in the answer. */
const MOST_KEYS = 16;
const MOST_VALUES = 1_000;
/**
 * The most objects to count: `rows` if no index has the labels and each row must be read, `candidates` if an index has
 * them.
 */
const MOST = { rows: 10_000, candidates: 100_000 };
/** The objects that a count of a past state reads at a time. */
const PAGE = 500;

/**
 * `?facets=environment,tier`: for each label key, counts the objects of a LIST by value. All counts are at the answer's
 * resourceVersion.
 */
export async function listFacets(call: Call, telling: Telling): Promise<Answer> {
  const { request, route } = call;
  const { query } = request;
  refuseListOptions(query, 'list');
  refuseOptions(query, 'facets', ['limit', 'continue', 'resourceVersion', 'sortBy']);
  const { as } = negotiate(request.headers.accept, { streams: true });
  const keys = readKeys(query.get('facets') ?? '');
  const { fields: _fields, ...selection } = selectionOf(route, query);
  const at = await versionAt(call);
  if (at !== undefined && telling.explains) {
    throw badRequest('explain is not allowed with facets and at: the objects are read in several lists');
  }
  const asked = { ...selection, most: MOST, explain: telling.explains };
  const counts = await countLabels(call, { asked, at }, keys);
  const metadata = { resourceVersion: String(counts.rv) };
  const list = () => (as === 'Table' ? tableOf(counts, metadata) : facetsOf(counts, metadata));
  return telling.answer({ plan: counts.plan, metadata, list });
}

/** @throws ApiError 400 the label keys are missing, too many or invalid */
function readKeys(text: string): readonly string[] {
  const keys = [...new Set(text.split(',').filter((key) => key !== ''))];
  if (keys.length === 0) {
    throw badRequest('facets: name one or more label keys, for example facets=environment,tier');
  }
  if (keys.length > MOST_KEYS) {
    throw badRequest(`facets: the request names ${keys.length} label keys, the limit is ${MOST_KEYS}`);
  }
  for (const key of keys) {
    const [fault] = labelKeyErrors(key);
    if (fault !== undefined) {
      throw badRequest(`facets: ${JSON.stringify(key)} is not a valid label key: ${fault}`);
    }
  }
  return keys;
}

interface LabelCounts extends LabelsRead {
  /** By label key: the number of objects for each value. The other objects do not have the key. */
  readonly values: ReadonlyMap<string, Map<string, number>>;
}

interface Counting {
  readonly asked: LabelsRequest;
  /** The resourceVersion at which labels are counted; undefined means the latest. */
  readonly at: number | undefined;
}

async function countLabels(
  call: Call,
  { asked, at }: Counting,
  keys: readonly string[],
): Promise<LabelCounts> {
  const values = new Map(keys.map((key) => [key, new Map<string, number>()]));
  const count = (labels: Labels) => {
    for (const [key, counts] of values) {
      // A label key may equal the name of an inherited property.
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  };
  if (at !== undefined) return { ...(await visitAt(call, { asked, at }, count)), values };
  try {
    return { ...(await call.options.store.visitLabels(collectionOfCall(call), asked, count)), values };
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

interface Value {
  readonly value: string;
  readonly count: number;
}

/** The values by frequency, the most frequent first; equally frequent ones in alphabetical order. */
function sorted(values: ReadonlyMap<string, number>): readonly Value[] {
  return [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1));
}

function absent({ count }: LabelCounts, values: readonly Value[]): number {
  return values.reduce((rest, one) => rest - one.count, count);
}

function facetsOf(counts: LabelCounts, metadata: JsonObject): JsonObject {
  const facets = [...counts.values].map(([key, found]) => {
    const values = sorted(found);
    const told = values.slice(0, MOST_VALUES).map(({ value, count }) => ({ value, count }));
    return { key, distinct: values.length, absent: absent(counts, values), values: told };
  });
  return { kind: 'Facets', apiVersion: 'winnow.dev/v1', metadata, count: counts.count, facets };
}

function tableOf(counts: LabelCounts, metadata: JsonObject): JsonObject {
  const rows = [...counts.values].flatMap(([key, found]) => {
    const values = sorted(found);
    const told = values.slice(0, MOST_VALUES).map(({ value, count }) => [key, value, count]);
    const others = values.slice(MOST_VALUES).reduce((sum, { count }) => sum + count, 0);
    const without = absent(counts, values);
    return [
      ...told,
      ...(others === 0 ? [] : [[key, `<${values.length - MOST_VALUES} others>`, others]]),
      ...(without === 0 ? [] : [[key, '<none>', without]]),
    ];
  });
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: COLUMNS.map((column) => ({ ...column, format: '', priority: 0 })),
    rows: rows.map((cells) => ({ cells })),
  };
}

const COLUMNS = [
  { name: 'Label', type: 'string', description: 'The label key.' },
  {
    name: 'Value',
    type: 'string',
    description:
      'A value of the label. <none>: objects without the label. <… others>: all less frequent values.',
  },
  { name: 'Count', type: 'integer', description: 'The number of objects with this value.' },
];
