import { isJsonObject, type JsonObject, metadataOf, valueAt } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import type { Store } from '../../store/index.ts';
import { templatePathOf } from './pod-templates.ts';

/** The question of a PlacementReview: where the pods of a template may run. */
export interface Question {
  /** The metadata and the spec of the template. */
  readonly template: JsonObject;
  /** The path of the template in the review, such as `spec.object.spec.template`. */
  readonly path: string;
  readonly namespace: string;
  /** The name of the pod, or the prefix of the names of its pods. */
  readonly name: string;
  readonly count: number;
}

export interface ReadQuestion {
  /** Absent if there are errors. */
  readonly question?: Question;
  readonly errors: readonly FieldError[];
  /** Unknown fields of the spec, by their paths. */
  readonly unknown: readonly string[];
}

const ASKED = ['pod', 'template', 'object'] as const;
const FIELDS: ReadonlySet<string> = new Set([...ASKED, 'count']);
const MOST_PODS = 500;
const DEFAULT_NAMESPACE = 'default';
/** The name of pods without a name. */
const NAMELESS = 'pod';

/** Reads the spec of a PlacementReview. The template paths of custom kinds come from the store. */
export async function readQuestion(spec: JsonObject, store: Store): Promise<ReadQuestion> {
  const unknown = Object.keys(spec)
    .filter((field) => !FIELDS.has(field))
    .map((field) => `spec.${field}`);
  const { count = 1 } = spec;
  const errors: FieldError[] = [];
  if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > MOST_PODS) {
    const detail = `must be an integer from 1 to ${MOST_PODS}`;
    errors.push({ type: 'Invalid', field: 'spec.count', value: count, detail });
  }
  const given = ASKED.filter((field) => spec[field] !== undefined);
  const [first, ...others] = given;
  if (first === undefined) {
    errors.push({ type: 'Required', field: 'spec', detail: 'exactly one of pod, template and object' });
    return { errors, unknown };
  }
  for (const field of others) {
    const detail = `may not be set together with ${first}`;
    errors.push({ type: 'Forbidden', field: `spec.${field}`, detail });
  }
  const found = await templateIn(spec, first, store);
  errors.push(...('errors' in found ? found.errors : []));
  if (errors.length > 0 || 'errors' in found) return { errors, unknown };
  return { question: { ...found, count: Number(count) }, errors, unknown };
}

type Found = Omit<Question, 'count'> | { readonly errors: readonly FieldError[] };

async function templateIn(spec: JsonObject, field: (typeof ASKED)[number], store: Store): Promise<Found> {
  const given = spec[field];
  const path = `spec.${field}`;
  if (!isJsonObject(given)) {
    return refused({ type: 'Invalid', field: path, value: given, detail: 'must be an object' });
  }
  const { name = '', generateName = '', namespace = DEFAULT_NAMESPACE } = metadataOf(given);
  const own = { namespace: String(namespace), name: String(name || generateName || NAMELESS) };
  if (field !== 'object') return { ...own, template: given, path };
  const within = await templatePathOf(given, store);
  if (typeof within !== 'string') return refused({ ...within, field: `${path}.${within.field}` });
  if (within === '') return { ...own, template: given, path };
  const template = valueAt(given, within);
  const at = `${path}.${within}`;
  if (!isJsonObject(template)) return refused({ type: 'Required', field: at, detail: 'a pod template' });
  return { ...own, template, path: at };
}

function refused(error: FieldError): Found {
  return { errors: [error] };
}

/** The metadata fields that a pod copies from its template. */
const TAKEN = ['labels', 'annotations', 'ownerReferences'] as const;

/** The pod of a question, as a client would create it. */
export function podOf({ template, namespace, name }: Question): JsonObject {
  const { spec = null } = template;
  const own = metadataOf(template);
  const metadata: JsonObject = { name, namespace };
  for (const field of TAKEN) if (own[field] !== undefined) metadata[field] = own[field];
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}
