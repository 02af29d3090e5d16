import { collectionOf, type JsonObject, jsonEquals, objectAt } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import type { Store } from '../../store/index.ts';
import { invalid } from '../status/index.ts';
import type { Permission } from './permission.ts';

/** A write of a policy or a binding by a caller outside `system:masters`. */
export interface RuleWrite {
  readonly permission: Permission;
  readonly type: ResourceType;
  readonly name: string;
  readonly current: JsonObject | undefined;
  readonly body: JsonObject;
  readonly store: Store;
  /** All built-in and custom types. */
  types(): Promise<readonly ResourceType[]>;
}

/**
 * Refuses a policy whose writer may not read all objects of its `paramKind`, and a binding whose writer may not read the
 * parameters that it names: a policy shows them in its messages. This is the authorization of
 * k8s.io/kubernetes/pkg/registry/admissionregistration.
 *
 * @throws ApiError 422
 */
export async function refuseParams(write: RuleWrite): Promise<void> {
  const { type, name } = write;
  const refusal = type.kind.endsWith('Policy')
    ? await policyError(write)
    : type.kind.endsWith('PolicyBinding')
      ? await bindingError(write)
      : undefined;
  if (refusal !== undefined) throw invalid(type, name, [refusal]);
}

async function policyError({ permission, current, body, types }: RuleWrite): Promise<FieldError | undefined> {
  const { paramKind } = objectAt(body.spec);
  if (isAbsent(paramKind)) return undefined;
  const before = objectAt(objectAt(current?.spec).paramKind);
  const kind = objectAt(paramKind);
  if (jsonEquals(before, kind)) return undefined;
  const read = await resourceOf(kind, types);
  const access = { verb: 'get', ...read, subresource: '', namespace: '', name: '*' };
  if (permission.judge(access).allowed) return undefined;
  const user = JSON.stringify(permission.user.name);
  const of = `(kind=${kind.kind}, apiVersion=${kind.apiVersion})`;
  const detail = `user ${user} must have "get" permission on all objects of the referenced paramKind ${of}`;
  return { type: 'Forbidden', field: 'spec.paramKind', detail };
}

async function bindingError({
  permission,
  type,
  current,
  body,
  store,
  types,
}: RuleWrite): Promise<FieldError | undefined> {
  const { paramRef, policyName = '' } = objectAt(body.spec);
  if (isAbsent(paramRef)) return undefined;
  const before = objectAt(current?.spec);
  const ref = objectAt(paramRef);
  if (before.policyName === policyName && jsonEquals(objectAt(before.paramRef), ref)) return undefined;
  const policies = collectionOf(type.group, type.resource.replace('policybindings', 'policies'));
  const policy = await store.get(policies, { namespace: '', name: String(policyName) });
  const read = await resourceOf(objectAt(objectAt(policy?.body.spec).paramKind), types);
  const { name = '', namespace = '' } = ref;
  const verb = name === '' ? 'list' : 'get';
  const access = { verb, ...read, subresource: '', namespace: String(namespace), name: String(name) };
  if (permission.judge(access).allowed) return undefined;
  const user = JSON.stringify(permission.user.name);
  const detail =
    read.resource === '*'
      ? `unable to resolve paramKind to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`
      : `user ${user} does not have "${verb}" permission on the object referenced by paramRef`;
  return { type: 'Forbidden', field: 'spec.paramRef', detail };
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The resource of a kind. A kind that is not served could be served later, so it stands for all resources. */
async function resourceOf(
  { apiVersion = '', kind = '' }: JsonObject,
  types: RuleWrite['types'],
): Promise<{ readonly apiGroup: string; readonly resource: string }> {
  if (apiVersion === '') return { apiGroup: '*', resource: '*' };
  const [version = '', apiGroup = ''] = String(apiVersion).split('/').reverse();
  const found = (await types()).find(
    (type) => type.group === apiGroup && type.version === version && type.kind === kind,
  );
  return { apiGroup, resource: found?.resource ?? '*' };
}
