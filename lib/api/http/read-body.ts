import { type JsonValue, refuseManyValues } from '../../store/index.ts';
import { badRequest, unsupportedMediaType } from '../status/index.ts';
import type { ApiRequest } from './request.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const WAY_ROUND = 'kubectl create … --dry-run=client -o yaml | kubectl apply -f -';

/** The media type of the body without its parameters, `''` when the request names none. */
export function mediaTypeOf(request: ApiRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
}

export function hasBody(request: ApiRequest): boolean {
  return request.body !== undefined && request.body.length > 0;
}

/**
 * The body of a request for objects. JSON only.
 * @throws ApiError 415 for another media type, 400 for what is not JSON.
 */
export function readJsonBody(request: ApiRequest, expected: string): JsonValue {
  refuseOtherMediaTypes(mediaTypeOf(request));
  return parseJson(request, expected);
}

/**
 * The body as JSON, whatever its media type says.
 * @throws ApiError 400 with the parser's message. TooLargeError for more values than an object may have.
 */
export function parseJson(request: ApiRequest, expected: string): JsonValue {
  const value = decode(request, expected);
  refuseManyValues('the body of the request', value);
  return value;
}

function decode(request: ApiRequest, expected: string): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body ?? new Uint8Array()));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected}): couldn't get version/kind; json parse error: ${why}`,
    );
  }
}

function refuseOtherMediaTypes(mediaType: string): void {
  if (mediaType === '' || mediaType === 'application/json') {
    return;
  }
  if (mediaType === PROTOBUF) {
    throw unsupportedMediaType(
      `the body of the request is protobuf, and this server accepts application/json only; send it as JSON: ${WAY_ROUND}`,
    );
  }
  throw unsupportedMediaType(
    `the body of the request was in an unknown format (${mediaType}) - accepted media types include: application/json`,
  );
}
