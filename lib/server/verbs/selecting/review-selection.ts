import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectName,
  objectAt,
} from '../../../json/index.ts';
import {
  type Carried,
  type Carrier,
  judgeSelection,
  type SelectableObject,
} from '../../../kubernetes/carriers/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  isStored,
  type ResourceType,
  resourceTypes,
} from '../../../kubernetes/resource-types/index.ts';
import type { FieldError, Labels } from '../../../selectors/index.ts';
import { validateLabels } from '../../../selectors/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { type Answer, type Call, negotiate, readBody, readDryRun } from '../../http/index.ts';
import { decodeSent } from '../../objects/index.ts';
import { invalid } from '../../status/index.ts';
import { grantSelections } from './grant-selections.ts';
import { LookUp } from './look-up.ts';
import { labelsOfNamespace, subjectOf } from './subject-of.ts';

/** The question of a review: an object of a type, before and after a change. */
interface Question {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/**
 * POST of a SelectionReview: the carriers and grants that select an object, and those that would begin or stop to select
 * it after a change. Nothing is stored.
 * @throws ApiError 422
 */
export async function reviewSelection(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type } = route;
  negotiate(request.headers.accept);
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const { body } = await decodeSent({ ...sent, type, namespace: '' });
  const question = await readQuestion(call, objectAt(body.spec));
  const labels = await labelsOfNamespace(options.store, question.namespace);
  const subject = (object: JsonObject | undefined): SelectableObject | undefined =>
    object && subjectOf(object, question.namespace, labels);
  const before = subject(question.before);
  const after = subject(question.after);
  const lookUp = new LookUp(call);
  const subjects = [before ?? [], after ?? []].flat();
  const grants = await grantSelections(call, { ...question, subjects });
  const found = [...(await lookUp.selecting({ type: question.type, subjects })), ...grants.found];
  const carried = await lookUp.withControllers(found);
  const considered = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  const { selects, begins, stops, overlaps } = judgeSelection(considered, carried);
  const shown = new Map<Carried, JsonObject>();
  for (const [index, one] of found.entries()) {
    const key = carried[index];
    if (key !== undefined) shown.set(key, await lookUp.present(one));
  }
  const show = (all: readonly Carried[]) => all.flatMap((one) => shown.get(one) ?? []);
  const isChange = before !== undefined && after !== undefined;
  return {
    status: 201,
    value: {
      kind: type.kind,
      apiVersion: apiVersionOf(type),
      metadata: { creationTimestamp: null },
      spec: objectAt(body.spec),
      status: {
        selectedBy: show(selects),
        ...(isChange && { begins: show(begins), stops: show(stops) }),
        overlaps: overlaps.map((pair) => ({
          controllers: show(pair.flatMap((one) => ofCarrier(selects, one))),
        })),
        ...(grants.hidden.length > 0 && { hidden: [...grants.hidden] }),
      },
    },
  };
}

const ofCarrier = (all: readonly Carried[], carrier: Carrier) => all.filter((one) => one.carrier === carrier);

async function readQuestion(call: Call, spec: JsonObject): Promise<Question> {
  const errors: FieldError[] = [];
  const { group = '', resource = '' } = objectAt(spec.resource);
  const type = await findType(call, String(group), String(resource));
  if (type === undefined) {
    const value = `${group}/${resource}`;
    errors.push({
      type: 'Invalid',
      field: 'spec.resource',
      value,
      detail: 'no such resource; see kubectl api-resources',
    });
  }
  const { namespace = '', name = '', labels, before, after } = spec;
  if (type?.scope === 'Namespaced' && namespace === '') {
    errors.push({ type: 'Required', field: 'spec.namespace', detail: 'the namespace of the object' });
  }
  if (labels !== undefined) errors.push(...validateLabels(labels, 'spec.labels'));
  errors.push(...objectErrors({ before, after }));
  const given = [labels, after].filter((one) => one !== undefined).length;
  if (given === 2) {
    errors.push({ type: 'Forbidden', field: 'spec.labels', detail: 'may not be set together with after' });
  }
  if (given === 0 && before === undefined && name === '') {
    errors.push({
      type: 'Required',
      field: 'spec.labels',
      detail: 'set labels, before, after or name',
    });
  }
  if (errors.length > 0 || type === undefined) throw invalid(call.route.type, '', errors);
  const place = type.scope === 'Namespaced' ? String(namespace) : '';
  const stored =
    name === '' ? undefined : await getVisible(call, type, { namespace: place, name: String(name) });
  const old = before === undefined ? stored?.body : objectAt(before);
  return {
    type,
    namespace: place,
    name: String(name),
    before: old,
    after: after === undefined ? labelled(old, labels, String(name)) : objectAt(after),
  };
}

/**
 * Reads an object that the caller may get. An object outside the caller's scope does not exist for the caller.
 *
 * @throws ApiError 403 the caller may get no such object
 */
async function getVisible(
  { options, permit }: Call,
  { group, resource, ...type }: ResourceType,
  name: ObjectName,
): Promise<ObjectState | undefined> {
  const access = { verb: 'get', apiGroup: group, resource, subresource: '', ...name };
  const scope = permit?.reach(access);
  const stored = await options.store.get(collectionOfType({ group, resource, ...type }), name);
  return stored === undefined || scope === undefined || scope.matches(stored.labels) ? stored : undefined;
}

/** The object with other labels. Without an old object, the result has only the labels and the name. */
function labelled(
  old: JsonObject | undefined,
  labels: JsonValue | undefined,
  name: string,
): JsonObject | undefined {
  if (labels === undefined) return undefined;
  const { metadata, ...rest } = old ?? {};
  return {
    ...rest,
    metadata: { ...objectAt(metadata), ...(name !== '' && { name }), labels: labels as Labels },
  };
}

function objectErrors(given: Readonly<Record<string, JsonValue | undefined>>): FieldError[] {
  return Object.entries(given).flatMap(([name, value]): FieldError[] => {
    if (value === undefined || isJsonObject(value)) return [];
    return [{ type: 'TypeInvalid', field: `spec.${name}`, value, detail: 'must be an object' }];
  });
}

async function findType(call: Call, group: string, resource: string): Promise<ResourceType | undefined> {
  const isIt = (type: ResourceType) => type.group === group && type.resource === resource && isStored(type);
  return resourceTypes.find(isIt) ?? (await call.options.customTypes?.())?.find(isIt);
}
