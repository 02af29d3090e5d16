import type { FieldError } from '../../selectors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../store/index.ts';
import { type Call, hasBody, readBody, readDryRun } from '../http/index.ts';
import { dropNulls } from '../objects/index.ts';
import { badRequest, invalid } from '../status/index.ts';

/** How to delete. There are no pods to stop, so grace periods are accepted and mean nothing. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  /** What the object must be, `undefined` where that is not said. */
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const EXPECTED = { apiVersion: 'v1', kind: 'DeleteOptions' } as const;

/**
 * The DeleteOptions in the body, in the query, or in both.
 * @throws ApiError 400, 415, 422
 */
export async function readDeleteOptions({ request }: Call): Promise<DeleteOptions> {
  const body = hasBody(request) ? decode(dropNulls((await readBody(request, EXPECTED)).value)) : {};
  const policy = body.propagationPolicy ?? request.query.get('propagationPolicy') ?? '';
  refusePolicy(policy);
  const dryRun = [...strings(body.dryRun), ...request.query.getAll('dryRun')];
  const preconditions = objectAt(body.preconditions);
  return {
    dryRun: readDryRun(dryRun, 'DeleteOptions'),
    ...(typeof preconditions.uid === 'string' ? { uid: preconditions.uid } : {}),
    ...(typeof preconditions.resourceVersion === 'string'
      ? { resourceVersion: preconditions.resourceVersion }
      : {}),
  };
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
    throw badRequest('DeleteOptions: dryRun is a list of strings, and preconditions is an object');
  }
  return body;
}

function refusePolicy(policy: JsonValue): void {
  const field = 'propagationPolicy';
  const errors: FieldError[] = [];
  if (policy === 'Foreground') {
    const detail =
      'Foreground needs a garbage collector, and this version has none: use Background or Orphan';
    errors.push({ type: 'Forbidden', field, detail });
  } else if (policy !== '' && policy !== 'Background' && policy !== 'Orphan') {
    const detail = 'supported values: "Background", "Orphan"';
    errors.push({ type: 'NotSupported', field, value: policy, detail });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
