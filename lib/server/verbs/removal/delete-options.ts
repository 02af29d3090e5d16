import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { type Call, hasBody, isTrue, readBody, readDryRun } from '../../http/index.ts';
import { dropNulls } from '../../objects/index.ts';
import { badRequest, invalid } from '../../status/index.ts';

/** The options of a DELETE. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  /** The required uid and resourceVersion of the object; undefined if not required. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** The propagation policy for the dependents, if given. */
  readonly policy?: Policy;
  /** Seconds until the kubelet must have stopped the pod, if given. */
  readonly grace?: number;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;
type Policy = (typeof POLICIES)[number];

const EXPECTED = { apiVersion: 'v1', kind: 'DeleteOptions' } as const;

/**
 * The DeleteOptions in the body, in the query, or in both.
 * @throws ApiError 400, 415, 422
 */
export async function readDeleteOptions({ request }: Call): Promise<DeleteOptions> {
  if (hasBody(request)) {
    return deleteOptionsOf(dropNulls((await readBody(request, EXPECTED)).value), request.query);
  }
  const seconds = request.query.get('gracePeriodSeconds');
  refuseGrace(seconds);
  return deleteOptionsOf(seconds === null ? {} : { gracePeriodSeconds: Number(seconds) }, request.query);
}

/**
 * The DeleteOptions of a body, and of the query beside it.
 * @throws ApiError 400, 422
 */
export function deleteOptionsOf(sent: JsonValue, query: URLSearchParams): DeleteOptions {
  const body = decode(sent);
  const policy = readPolicy(body, query);
  const dryRun = [...strings(body.dryRun), ...query.getAll('dryRun')];
  const preconditions = objectAt(body.preconditions);
  const { gracePeriodSeconds: grace } = body;
  return {
    dryRun: readDryRun(dryRun, 'DeleteOptions'),
    ...(typeof grace === 'number' ? { grace: grace < 0 ? 1 : grace } : {}),
    ...(policy === undefined ? {} : { policy }),
    ...(typeof preconditions.uid === 'string' ? { uid: preconditions.uid } : {}),
    ...(typeof preconditions.resourceVersion === 'string'
      ? { resourceVersion: preconditions.resourceVersion }
      : {}),
  };
}

/** @throws ApiError 400 the period is not a number, with Go's message */
function refuseGrace(seconds: string | null): void {
  if (seconds === null || /^[+-]?\d+$/.test(seconds)) return;
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`);
}

function decode(body: JsonValue): JsonObject {
  const { kind = 'DeleteOptions' } = isJsonObject(body) ? body : { kind: '' };
  if (!isJsonObject(body) || (kind !== 'DeleteOptions' && kind !== '')) {
    throw badRequest(
      `decoded object cannot be converted to DeleteOptions: the body is ${JSON.stringify(kind)}`,
    );
  }
  const { dryRun = [], preconditions = {} } = body;
  if (!Array.isArray(dryRun) || !isJsonObject(preconditions)) {
    throw badRequest('DeleteOptions: dryRun must be a list of strings, and preconditions must be an object');
  }
  return body;
}

/** @throws ApiError 422 */
function readPolicy(body: JsonObject, query: URLSearchParams): Policy | undefined {
  const field = 'propagationPolicy';
  const value = body[field] ?? query.get(field) ?? undefined;
  const orphans = body.orphanDependents ?? query.get('orphanDependents') ?? undefined;
  const errors: FieldError[] = [];
  if (value !== undefined && orphans !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push({ type: 'Invalid', field, value, detail });
  }
  const policy = POLICIES.find((one) => one === value);
  if (value !== undefined && policy === undefined) {
    const detail = 'supported values: "Foreground", "Background", "Orphan", "nil"';
    errors.push({ type: 'NotSupported', field, value, detail });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  if (orphans === undefined) return policy;
  return isTrue(String(orphans)) ? 'Orphan' : 'Background';
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
