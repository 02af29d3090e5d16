import { type JsonObject, objectAt } from '../../../json/index.ts';
import { apiVersionOf, findResourceType, TOKEN_REQUEST } from '../../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  objectNameOf,
  readBody,
  readDryRun,
} from '../../http/index.ts';
import { decodeSent, timestamp } from '../../objects/index.ts';
import { ApiError, badRequest, invalid, notFound } from '../../status/index.ts';
import { type Signing, signToken } from './sign-token.ts';

const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
/** The kinds that a token can be bound to, with their resources. */
const BOUND: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' };

/**
 * POST of a TokenRequest for a service account. A server without a signing key reports faults of the request as
 * Kubernetes does, and refuses a correct request with 400.
 * k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage, TokenREST
 * @throws ApiError 400, 404, 409, 422
 */
export async function requestToken(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  // The holder of a token has all rights of the account, on all objects.
  const { name, namespace } = route;
  call.permit?.demand({
    verb: 'create',
    apiGroup: '',
    resource: 'serviceaccounts',
    subresource: 'token',
    namespace,
    name,
  });
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const expected = { apiVersion: apiVersionOf(TOKEN_REQUEST), kind: TOKEN_REQUEST.kind };
  const sent = await readBody(request, expected);
  const { body } = await decodeSent({ ...sent, type: TOKEN_REQUEST, namespace: route.namespace });
  const node = call.permit?.node;
  if (node !== undefined) {
    await (await import('../../nodes/index.ts')).refuseNodeToken(call, node, objectAt(body.spec));
  }
  const account = await options.store.get(collectionOfCall(call), objectNameOf(call));
  if (account === undefined) throw notFound(route.type, route.name);
  await call.decide?.(() => ({ operation: 'CREATE', object: body, dryRun }));
  const spec = objectAt(body.spec);
  refuseDuration(spec);
  const bound =
    spec.boundObjectRef === undefined || spec.boundObjectRef === null
      ? undefined
      : await findBound(call, objectAt(spec.boundObjectRef));
  if (options.tokens === undefined) {
    throw badRequest(
      'the server has no key to sign service account tokens; deploy with the setting serviceAccountTokens',
    );
  }
  const { tokens, clock, random } = options;
  const now = clock.now();
  const { warnings, ...signed } = await signToken({
    tokens,
    now,
    jti: random.uuid(),
    namespace: route.namespace,
    account: { name: route.name, uid: account.uid },
    bound,
    spec,
  });
  const metadata = { name: route.name, namespace: route.namespace, creationTimestamp: timestamp(clock) };
  const { apiVersion, kind } = expected;
  return { status: 201, value: { kind, apiVersion, metadata, ...signed }, warnings };
}

function refuseDuration({ expirationSeconds: seconds }: JsonObject): void {
  if (typeof seconds !== 'number') return;
  const details: string[] = [];
  if (seconds < SHORTEST_SECONDS) details.push('may not specify a duration less than 10 minutes');
  if (seconds > LONGEST_SECONDS) details.push('may not specify a duration larger than 2^32 seconds');
  const field = 'spec.expirationSeconds';
  const errors = details.map((detail): FieldError => ({ type: 'Invalid', field, value: seconds, detail }));
  if (errors.length > 0) throw invalid(TOKEN_REQUEST, '', errors);
}

async function findBound({ options, route }: Call, reference: JsonObject): Promise<Signing['bound']> {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const type = findResourceType('', 'v1', BOUND[String(kind)] ?? '');
  if (apiVersion !== 'v1' || type === undefined) {
    const [version = '', group = ''] = String(apiVersion).split('/').reverse();
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const namespace = type.scope === 'Cluster' ? '' : route.namespace;
  const bound = { options, route: { ...route, type, namespace } } as Call;
  const state = await options.store.get(collectionOfCall(bound), objectNameOf(bound, String(name)));
  if (state === undefined) throw notFound(type, String(name));
  if (kind === 'Pod' && objectAt(state.body.spec).serviceAccountName !== route.name) {
    const account = JSON.stringify(route.name);
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== '' && uid !== state.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw new ApiError(409, 'Conflict', why);
  }
  return { kind: String(kind), name: String(name), uid: state.uid };
}
