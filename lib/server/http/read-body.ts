import { isJsonObject, type JsonValue, refuseManyValues } from '../../json/index.ts';
import {
  decodeJson,
  EncodingError,
  type ExpectedKind,
  JsonFault,
  KindError,
  readProtobuf,
  readYaml,
} from '../../kubernetes/encodings/index.ts';
import { badRequest, unsupportedMediaType } from '../status/index.ts';
import type { ApiRequest } from './request.ts';

const JSON_BODY = 'application/json';
const YAML_BODY = 'application/yaml';
const PROTOBUF_BODY = 'application/vnd.kubernetes.protobuf';

/** The type into which Kubernetes first decodes any object, as Go prints it. */
const ENVELOPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The bytes of a body that an error shows. */
const SHOWN = 30;

/** The decoded body of a request. */
export interface ReadBody {
  readonly value: JsonValue;
  /** Duplicate keys, in Go's words, as far as the decoder reports them. */
  readonly duplicates: readonly string[];
  /** The text of a JSON body. It still has details that parsing loses, such as duplicate keys. */
  readonly text?: string;
}

/** The media type of the body without its parameters, `''` when the request names none. */
export function mediaTypeOf(request: ApiRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
}

export function hasBody(request: ApiRequest): boolean {
  return request.body !== undefined && request.body.length > 0;
}

/**
 * Decodes the body of a request as JSON, YAML or protobuf, by its media type.
 *
 * @param expected the kind of the body if it does not name one
 * @throws ApiError 415 another media type, 400 the body is not valid in its media type. TooLargeError for more values
 * than an object may have.
 */
export async function readBody(request: ApiRequest, expected: ExpectedKind): Promise<ReadBody> {
  const mediaType = mediaTypeOf(request);
  const body = request.body ?? new Uint8Array();
  try {
    const read = await decode(mediaType, body, expected);
    refuseManyValues('the body of the request', read.value);
    return read;
  } catch (given) {
    const error = given instanceof JsonFault ? await syntaxError(given, body) : given;
    throw error instanceof EncodingError ? unrecognized(error, body, expected) : error;
  }
}

async function decode(mediaType: string, body: Uint8Array, expected: ExpectedKind): Promise<ReadBody> {
  switch (mediaType) {
    case '':
    case JSON_BODY:
      return { ...readJson(body), duplicates: [] };
    case YAML_BODY:
      return readYaml(body);
    case PROTOBUF_BODY:
      return { value: await readProtobuf(body, expected), duplicates: [] };
    default:
      throw unsupportedMediaType(
        `the body of the request was in an unknown format - accepted media types include: ${JSON_BODY}, ${YAML_BODY}, ${PROTOBUF_BODY}`,
      );
  }
}

/** Decodes JSON. `null` counts as an empty object, as in Go's decoder. */
function readJson(body: Uint8Array) {
  try {
    const { value, text } = decodeJson(body);
    if (value === null || isJsonObject(value)) return { value: value ?? {}, text };
    throw new EncodingError(`json: cannot unmarshal ${goType(value)} into Go value of type ${ENVELOPE}`);
  } catch (error) {
    if (!(error instanceof EncodingError) || error instanceof JsonFault) throw error;
    throw notAnEnvelope(error);
  }
}

/** The code that finds the place of a syntax error is loaded with the first one. */
async function syntaxError(fault: JsonFault, body: Uint8Array): Promise<EncodingError> {
  const { inGoWords } = await import('../../kubernetes/encodings/parse-json.ts');
  return notAnEnvelope(inGoWords(fault, body));
}

const notAnEnvelope = ({ message }: EncodingError) =>
  new EncodingError(`couldn't get version/kind; json parse error: ${message}`);

/** The name that Go's decoder uses for a value that is not an object. */
function goType(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The 400 error for a body that cannot be decoded, in the words of apiserver's transformDecodeError. */
function unrecognized(error: EncodingError, body: Uint8Array, { kind: expected }: ExpectedKind): Error {
  if (error instanceof KindError) {
    const { apiVersion, kind, message } = error;
    const version = apiVersion.split('/').at(-1);
    return badRequest(`${kind} in version "${version}" cannot be handled as a ${expected}: ${message}`);
  }
  return badRequest(
    `the object provided is unrecognized (must be of type ${expected}): ${error.message} (${summarize(body)})`,
  );
}

/** The beginning of a body: as text if it begins like JSON, otherwise in hexadecimal. */
function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const encoding = body[0] === '{'.charCodeAt(0) ? 'utf8' : 'hex';
  const shown = Buffer.from(body.subarray(0, SHOWN)).toString(encoding);
  return body.length > SHOWN ? `${shown} ...` : shown;
}
