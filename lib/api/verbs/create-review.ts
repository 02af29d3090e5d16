import type { FieldError } from '../../selectors/index.ts';
import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../store/index.ts';
import {
  type Answer,
  type ApiRequest,
  type Call,
  negotiate,
  type ResourceRoute,
  readBody,
  readDryRun,
  readFieldValidation,
  readManager,
} from '../http/index.ts';
import { decodeSent, judgeFaults, timestamp, trackFields } from '../objects/index.ts';
import { apiVersionOf } from '../resource-types/index.ts';
import { badRequest, invalid } from '../status/index.ts';

/** What is asked, and what there is to answer from. */
interface Review {
  readonly call: Call;
  readonly spec: JsonObject;
  /** Of the question. */
  readonly metadata: JsonObject;
}

/** What a review answers beside its type and metadata. */
type Judge = (review: Review) => JsonObject;

const JUDGES: Readonly<Record<string, Judge>> = {
  LocalSubjectAccessReview: allowed,
  SelfSubjectAccessReview: allowed,
  SelfSubjectRulesReview: allRules,
  SelfSubjectReview: whoAsks,
  SubjectAccessReview: allowed,
  TokenReview: unknownToken,
};

/**
 * POST of a question about access: nothing is stored. There are no rules within: whoever the login lets in may do
 * everything, and that is what it answers.
 * @throws ApiError 400, 422
 */
export async function createReview(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type, namespace } = route;
  negotiate(request.headers.accept);
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const decoded = await decodeSent({ ...sent, type, namespace });
  const warnings = judgeFaults(decoded, type, readFieldValidation(request.query, 'CreateOptions'));
  const { apiVersion = '', kind = '', spec } = decoded.body;
  const answer = JUDGES[type.kind]?.({
    call,
    spec: objectAt(spec),
    metadata: metadataOf(decoded.body),
  });
  const creationTimestamp = type.kind === 'SelfSubjectReview' ? timestamp(options.clock) : null;
  const managers = ANSWERED_ALONE.has(type.kind) ? {} : await managersOf(call, decoded.body);
  const metadata = { ...(namespace === '' ? {} : { namespace }), creationTimestamp, ...managers };
  return { status: 201, value: { kind, apiVersion, metadata, ...answer }, warnings };
}

/** Who asked what: of the question as of anything that is created. */
async function managersOf({ request, route, options }: Call, question: JsonObject): Promise<JsonObject> {
  const manager = readManager(request, 'CreateOptions');
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const { managedFields } = metadataOf(await tracking.created(question));
  return managedFields === undefined ? {} : { managedFields };
}

/** These answers do not repeat their question. */
const ANSWERED_ALONE: ReadonlySet<string> = new Set(['SelfSubjectReview', 'SelfSubjectRulesReview']);

function allowed({ call: { route }, spec, metadata }: Review): JsonObject {
  const errors = [...accessErrors(route, spec), ...metadataErrors(route, metadata)];
  // Upstream's message has no kind, as its error has none.
  if (errors.length > 0) throw invalid({ group: route.type.group, kind: '' }, '', errors);
  return { spec, status: { allowed: true } };
}

/** k8s.io/kubernetes/pkg/apis/authorization/validation */
function accessErrors({ type: { kind }, namespace }: ResourceRoute, spec: JsonObject): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: other, user = '', groups = [] } = spec;
  const errors: FieldError[] = [];
  const refuse = (field: string, value: unknown, detail: string) =>
    errors.push({ type: 'Invalid', field, value, detail });
  if (resource !== undefined && other !== undefined) {
    const { path = '', verb = '' } = objectAt(other);
    const printed = `authorization.NonResourceAttributes{Path:${JSON.stringify(path)}, Verb:${JSON.stringify(verb)}}`;
    const detail = `${printed}: cannot be specified in combination with resourceAttributes`;
    errors.push({ type: 'Invalid', field: 'spec.nonResourceAttributes', detail });
  }
  if (resource === undefined && other === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    refuse('spec.resourceAttributes', 'null', detail);
  }
  if (kind !== 'SelfSubjectAccessReview' && user === '' && Object.keys(groups ?? {}).length === 0) {
    refuse('spec.user', '', 'at least one of user or group must be specified');
  }
  const { namespace: asked = '' } = objectAt(resource);
  if (kind === 'LocalSubjectAccessReview' && resource !== undefined && asked !== namespace) {
    refuse('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace');
  }
  return errors;
}

/** A question is no object. */
function metadataErrors({ type: { scope } }: ResourceRoute, metadata: JsonObject): FieldError[] {
  const { managedFields: _managers, namespace, ...own } = metadata;
  const given = scope === 'Namespaced' ? own : { ...own, namespace };
  if (Object.values(given).every(isEmpty)) return [];
  const detail = scope === 'Namespaced' ? 'must be empty except for namespace' : 'must be empty';
  return [{ type: 'Invalid', field: 'metadata', detail }];
}

function isEmpty(value: JsonValue | undefined): boolean {
  const isMap = typeof value === 'object' && value !== null;
  return (value ?? '') === '' || (isMap && Object.keys(value).length === 0);
}

/** There are no tokens that this server has given out; those of a login are its authorizer's to judge. */
function unknownToken({ spec }: Review): JsonObject {
  if ((spec.token ?? '') === '') throw badRequest('token is required for TokenReview in authentication');
  return { spec, status: { user: {}, error: 'invalid bearer token' } };
}

function allRules({ spec }: Review): JsonObject {
  if ((spec.namespace ?? '') === '') throw badRequest('no namespace on request');
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  const nonResourceRules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
  return { spec: {}, status: { resourceRules, nonResourceRules, incomplete: false } };
}

function whoAsks({ call }: Review): JsonObject {
  return { status: { userInfo: userInfo(call.request) } };
}

/** Where nobody is asked for a login, nobody is known. */
function userInfo({ caller }: ApiRequest): JsonObject {
  if (caller === undefined) return { username: 'system:anonymous', groups: ['system:unauthenticated'] };
  const groups = ['system:masters', 'system:authenticated'];
  const { arn, session } = caller;
  return { username: arn, groups, ...(session !== undefined && { extra: { sessionName: [session] } }) };
}
