import type { FieldError } from '../../selectors/index.ts';
import { type JsonObject, objectAt } from '../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  objectNameOf,
  readBody,
  readDryRun,
} from '../http/index.ts';
import { decodeSent } from '../objects/index.ts';
import { apiVersionOf, findResourceType, TOKEN_REQUEST } from '../resource-types/index.ts';
import { ApiError, badRequest, invalid, notFound } from '../status/index.ts';

const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
/** What a token can be bound to, and where it is looked for. */
const BOUND: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' };

/**
 * POST of a TokenRequest for a service account. What is wrong with it is told as Kubernetes does; but there is no token
 * to give, for there are no keys to sign one with, and nobody who would take it.
 * k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage, TokenREST
 * @throws ApiError 400, 404, 409, 422
 */
export async function requestToken(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const expected = { apiVersion: apiVersionOf(TOKEN_REQUEST), kind: TOKEN_REQUEST.kind };
  const sent = await readBody(request, expected);
  const { body } = await decodeSent({ ...sent, type: TOKEN_REQUEST, namespace: route.namespace });
  const account = await options.store.get(collectionOfCall(call), objectNameOf(call));
  if (account === undefined) throw notFound(route.type, route.name);
  const spec = objectAt(body.spec);
  refuseDuration(spec);
  await refuseBound(call, objectAt(spec.boundObjectRef));
  throw badRequest('there are no keys here to sign the tokens of service accounts with');
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

async function refuseBound({ options, route }: Call, reference: JsonObject): Promise<void> {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  if (kind === '') return;
  const type = findResourceType('', 'v1', BOUND[String(kind)] ?? '');
  if (apiVersion !== 'v1' || type === undefined) {
    const [version = '', group = ''] = String(apiVersion).split('/').reverse();
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const namespace = type.scope === 'Cluster' ? '' : route.namespace;
  const bound = { options, route: { ...route, type, namespace } } as Call;
  const state = await options.store.get(collectionOfCall(bound), objectNameOf(bound, String(name)));
  if (state === undefined) throw notFound(type, String(name));
  if (uid !== '' && uid !== state.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw new ApiError(409, 'Conflict', why);
  }
}
