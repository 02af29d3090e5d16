import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import type { User } from '../../kubernetes/rbac/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import {
  type Answer,
  AUTHENTICATED,
  asServer,
  type Call,
  MASTERS,
  negotiate,
  type ResourceRoute,
  readBody,
  readDryRun,
  readFieldValidation,
  readManager,
  type UserInfo,
} from '../http/index.ts';
import { decodeSent, judgeFaults, timestamp, trackFields } from '../objects/index.ts';
import { badRequest, invalid, methodNotAllowed } from '../status/index.ts';

/** The question of a review, and the request that sent it. */
interface Review {
  readonly call: Call;
  readonly spec: JsonObject;
  /** The metadata of the question. */
  readonly metadata: JsonObject;
}

/** Returns the answer of a review, without its type and metadata. */
type Judge = (review: Review) => JsonObject | Promise<JsonObject>;

const JUDGES: Readonly<Record<string, Judge>> = {
  LocalSubjectAccessReview: allowed,
  SelfSubjectAccessReview: allowed,
  SelfSubjectRulesReview: allRules,
  SelfSubjectReview: whoAsks,
  SubjectAccessReview: allowed,
  TokenReview: whoseToken,
};

/**
 * POST of a question about access. Nothing is stored. The answer comes from the current roles and bindings. Members of
 * `system:masters` may do everything.
 * @throws ApiError 400, 422
 */
export async function createReview(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type, namespace } = route;
  const judge = JUDGES[type.kind];
  // Another function answers this kind.
  if (judge === undefined) throw methodNotAllowed();
  negotiate(request.headers.accept, { hasNoTable: true });
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const decoded = await decodeSent({ ...sent, type, namespace });
  const warnings = judgeFaults(decoded, type, readFieldValidation(request.query, 'CreateOptions'));
  const { apiVersion = '', kind = '', spec } = decoded.body;
  const answer = await judge({
    call,
    spec: objectAt(spec),
    metadata: metadataOf(decoded.body),
  });
  const creationTimestamp = type.kind === 'SelfSubjectReview' ? timestamp(options.clock) : null;
  const managers = ANSWERED_ALONE.has(type.kind) ? {} : await managersOf(call, decoded.body);
  const metadata = { ...(namespace === '' ? {} : { namespace }), creationTimestamp, ...managers };
  return { status: 201, value: { kind, apiVersion, metadata, ...answer }, warnings };
}

/** The managedFields of the review, as of any created object. */
async function managersOf({ request, route, options }: Call, question: JsonObject): Promise<JsonObject> {
  const manager = readManager(request, 'CreateOptions');
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const { managedFields } = metadataOf(await tracking.created(question));
  return managedFields === undefined ? {} : { managedFields };
}

/** The reviews whose answers do not repeat the question. */
const ANSWERED_ALONE: ReadonlySet<string> = new Set(['SelfSubjectReview', 'SelfSubjectRulesReview']);

async function allowed({ call, spec, metadata }: Review): Promise<JsonObject> {
  const { route } = call;
  const errors = [...accessErrors(route, spec), ...metadataErrors(route, metadata)];
  // Upstream's message has no kind, as its error has none.
  if (errors.length > 0) throw invalid({ group: route.type.group, kind: '' }, '', errors);
  const asks = route.type.kind === 'SelfSubjectAccessReview';
  const about = asks ? userOf(call) : { name: String(spec.user ?? ''), groups: textsOf(spec.groups) };
  if (about.groups.includes(MASTERS)) return { spec, status: { allowed: true } };
  const { judgeAccess, nodeInReview } = await import('../access/index.ts');
  const node = await nodeInReview(asServer(call.options).store, about, spec);
  // The user and the policy belong to the same moment, because no `await` separates their reads.
  const own = asks ? call.permit?.now() : undefined;
  const { user, policy } = own ?? { user: about, policy: await call.policy() };
  return { spec, status: judgeAccess({ user, policy, node }, { spec, isOwn: asks }) };
}

/** The caller, as a user of RBAC. */
function userOf({ request: { user } }: Call): User {
  return { name: user.username, groups: user.groups };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
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

/** The faults of the metadata: a question is not an object, so its metadata may only have a namespace. */
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

/**
 * The user of a token. The server knows tokens that it issued, if it issues any, and those of issuers that it trusts.
 * k8s.io/kubernetes/pkg/registry/authentication/tokenreview
 */
async function whoseToken({ call, spec }: Review): Promise<JsonObject> {
  const { tokens, store, clock } = call.options;
  const { token, audiences } = spec;
  if (typeof token !== 'string' || token === '') {
    throw badRequest('token is required for TokenReview in authentication');
  }
  if (tokens === undefined) return { spec, status: { user: {}, error: UNKNOWN_TOKEN } };
  const verdict = await tokens.review(token, textsOf(audiences));
  if ('error' in verdict) return { spec, status: { user: {}, error: verdict.error } };
  const { identity } = verdict;
  if (identity.bound !== undefined) {
    const { unboundFault } = await import('../access/refuse-unbound.ts');
    const fault = await unboundFault(store, identity.bound, clock.now());
    if (fault !== undefined) {
      return { spec, status: { user: {}, error: `[${UNKNOWN_TOKEN}, ${fault}]` } };
    }
  }
  const user = toldOf({ ...identity, groups: [...identity.groups, AUTHENTICATED] });
  return { spec, status: { authenticated: true, user, audiences: [...verdict.audiences] } };
}

const UNKNOWN_TOKEN = 'invalid bearer token';

async function allRules({ call, spec }: Review): Promise<JsonObject> {
  const { namespace = '' } = spec;
  if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
  if (!userOf(call).groups.includes(MASTERS)) {
    const { judgeRules } = await import('../access/index.ts');
    const { user, policy } = call.permit?.now() ?? { user: userOf(call), policy: await call.policy() };
    return { spec: {}, status: judgeRules(policy, user, namespace) };
  }
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  const nonResourceRules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
  return { spec: {}, status: { resourceRules, nonResourceRules, incomplete: false } };
}

function whoAsks({ call }: Review): JsonObject {
  return { status: { userInfo: toldOf(call.request.user) } };
}

function toldOf({ username, uid, groups, extra = {} }: UserInfo): JsonObject {
  const told = Object.entries(extra).map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return {
    username,
    ...(uid !== undefined && { uid }),
    groups: [...groups],
    ...(told.length > 0 && { extra: Object.fromEntries(told) }),
  };
}
