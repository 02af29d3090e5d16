import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { AdmissionAttributes, MatchedAs } from '../../kubernetes/admission-match/index.ts';

const API_VERSION = 'admission.k8s.io/v1';
/** The API version as Go prints it. */
const PRINTED = 'admission.k8s.io/v1, Kind=AdmissionReview';

/** The body of a request to a webhook: an AdmissionReview with a request. */
export function reviewOf(
  uid: string,
  attributes: AdmissionAttributes,
  { kind, resource }: MatchedAs,
): JsonObject {
  const { operation, subresource, name, namespace, user, dryRun, options } = attributes;
  const userInfo = {
    username: user.name,
    ...(user.uid !== '' && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(Object.keys(user.extra).length > 0 && { extra: user.extra as JsonObject }),
  };
  return {
    kind: 'AdmissionReview',
    apiVersion: API_VERSION,
    request: {
      uid,
      kind: { ...kind },
      resource: { ...resource },
      ...(subresource !== '' && { subResource: subresource }),
      requestKind: { ...attributes.kind },
      requestResource: { ...attributes.resource },
      ...(subresource !== '' && { requestSubResource: subresource }),
      ...(name !== '' && { name }),
      ...(namespace !== '' && { namespace }),
      operation,
      userInfo,
      object: attributes.object ?? null,
      oldObject: attributes.oldObject ?? null,
      dryRun,
      options: options ?? null,
    },
  };
}

/** The decision of a webhook. */
export interface Reviewed {
  readonly allowed: boolean;
  /** The operations of a JSON patch; undefined if the webhook changes nothing. */
  readonly patch: JsonValue | undefined;
  /** The Status of a refusal, as the webhook wrote it. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** A webhook's answer that is not a valid AdmissionReview. The message is kube-apiserver's. */
export class InvalidReviewError extends Error {
  override readonly name = 'InvalidReviewError';
}

/** A patch of a valid AdmissionReview that is not JSON. The message is kube-apiserver's. */
export class UnreadablePatchError extends Error {
  override readonly name = 'UnreadablePatchError';
}

/**
 * Reads the answer of a webhook.
 *
 * @throws {InvalidReviewError} it is no answer to this review
 * @throws {UnreadablePatchError}
 */
export function readReview(review: JsonValue, uid: string, mutating: boolean): Reviewed {
  const { response, apiVersion, kind } = isJsonObject(review) ? review : {};
  if (!isJsonObject(response)) throw new InvalidReviewError('webhook response was absent');
  const { uid: answered = '', allowed, status, warnings, auditAnnotations } = response;
  if (answered !== uid) {
    throw new InvalidReviewError(`expected response.uid=${quoted(uid)}, got ${quoted(answered)}`);
  }
  if (apiVersion !== API_VERSION || kind !== 'AdmissionReview') {
    throw new InvalidReviewError(`expected webhook response of ${PRINTED}, got ${printed(apiVersion, kind)}`);
  }
  return {
    allowed: allowed === true,
    patch: mutating ? readPatch(response) : refusePatch(response),
    status: isJsonObject(status) ? status : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string') : [],
    auditAnnotations: isJsonObject(auditAnnotations) ? textsOf(auditAnnotations) : {},
  };
}

function refusePatch({ patch, patchType }: JsonObject): undefined {
  if (!isEmpty(patch)) throw new InvalidReviewError('validating webhook may not return response.patch');
  if (isAbsent(patchType)) return undefined;
  throw new InvalidReviewError('validating webhook may not return response.patchType');
}

function readPatch({ patch, patchType }: JsonObject): JsonValue | undefined {
  if (isEmpty(patch)) {
    if (isAbsent(patchType)) return undefined;
    throw new InvalidReviewError('webhook returned response.patchType but not response.patch');
  }
  if (isAbsent(patchType)) {
    throw new InvalidReviewError('webhook returned response.patch but not response.patchType');
  }
  if (patchType === '') throw new InvalidReviewError('webhook returned invalid response.patchType of ""');
  if (patchType !== 'JSONPatch') throw new InvalidReviewError(`unsupported patch type ${quoted(patchType)}`);
  try {
    return JSON.parse(Buffer.from(String(patch), 'base64').toString('utf8'));
  } catch {
    throw new UnreadablePatchError('the patch of the webhook is not JSON in base64');
  }
}

const isAbsent = (value: JsonValue | undefined) => value === undefined || value === null;
const isEmpty = (value: JsonValue | undefined) => isAbsent(value) || value === '';
const quoted = (value: JsonValue | undefined) => JSON.stringify(String(value ?? ''));

function textsOf(object: JsonObject): Record<string, string> {
  const texts = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/** A version and kind as Go prints them: `apps/v1, Kind=Deployment`. */
function printed(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): string {
  const version = String(apiVersion ?? '');
  return `${version.includes('/') ? version : `/${version}`}, Kind=${kind ?? ''}`;
}
