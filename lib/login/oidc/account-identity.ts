import type { JWTPayload } from 'jose';
import type { BoundObject, Identity } from '../identity.ts';
import { RefusedError } from '../refused-error.ts';

/** The claims by which a token may be bound to an object besides its account, and the resources of those objects. */
const BOUND = { pod: 'pods', secret: 'secrets', node: 'nodes' } as const;

/**
 * Reads the service account of a token that is already verified, and the objects that must still exist for it to be
 * valid.
 * https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens
 *
 * @throws {RefusedError} it is not the token of a service account.
 */
export function accountIdentity({ sub, jti, 'kubernetes.io': said }: JWTPayload): Identity {
  const { namespace, serviceaccount, ...others } = fieldsOf(said);
  const account = boundTo(serviceaccount, 'serviceaccounts', textOf(namespace));
  const username = `system:serviceaccount:${account.namespace}:${account.name}`;
  if (sub !== username) throw new RefusedError('claims');
  const bound = Object.entries(BOUND).flatMap(([claim, resource]) =>
    others[claim] === undefined
      ? []
      : [boundTo(others[claim], resource, resource === 'nodes' ? '' : account.namespace)],
  );
  return {
    username,
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`],
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${textOf(jti)}`],
      ...Object.assign({}, ...bound.map(extraOf)),
    },
    bound: [account, ...bound],
  };
}

/** The extra fields for a bound object; none for a Secret. */
function extraOf({ resource, name, uid }: BoundObject): Readonly<Record<string, readonly string[]>> {
  if (resource !== 'pods' && resource !== 'nodes') return {};
  const key = `authentication.kubernetes.io/${resource.slice(0, -1)}`;
  return { [`${key}-name`]: [name], [`${key}-uid`]: [uid] };
}

function boundTo(given: unknown, resource: BoundObject['resource'], namespace: string): BoundObject {
  const { name, uid } = fieldsOf(given);
  return { resource, namespace, name: textOf(name), uid: textOf(uid) };
}

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null) throw new RefusedError('claims');
  return given as Readonly<Record<string, unknown>>;
}

function textOf(given: unknown): string {
  if (typeof given !== 'string' || given === '') throw new RefusedError('claims');
  return given;
}
