import { pipeline, Readable } from 'node:stream';
import type { JsonValue } from '../../json/index.ts';
import { zlib } from '../../platform/index.ts';
import { type ApiError, failureStatus, NoSuchPageError, tooLarge } from '../status/index.ts';
import type { Answer } from './call.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { isTrue } from './route.ts';

/** Shorter bodies are not worth compressing. */
const COMPRESS_FROM = 1_024;
const INDENT = 2;
/** The spaces that indenting may add: a fixed amount, and this many for each character of the compact text. */
const FREE_INDENTATION = 64 * 1024;
const MOST_INDENTATION = 4;
/** The most characters of all warnings of one response, as in Kubernetes. Beyond it, each warning is shortened. */
const LONGEST_WARNINGS = 4_096;
const SHORTENED_WARNING = 256;
/** The most bytes of their header. API Gateway allows 10,240 bytes for all headers of a response. */
const LONGEST_HEADER = 8_192;
/** The most characters that one character takes inside a JSON string literal. */
const MOST_ESCAPED = 6;

/** Encodes the result of a verb as an HTTP response, indented for `?pretty`. */
export function encodeAnswer(request: ApiRequest, answer: Answer): ApiResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  if ('lines' in answer) return { status: answer.status, headers, body: answer.lines };
  if ('pieces' in answer) {
    const plain = { status: answer.status, headers, body: answer.pieces };
    return acceptsGzip(request) ? compressed(plain, compressPieces(answer.pieces)) : plain;
  }
  if ('text' in answer) {
    const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8', ...answer.headers };
    return { status: answer.status, headers: plain, body: answer.text };
  }
  const warning = warningsThatFit(answer.warnings ?? []).join(', ');
  const own = 'json' in answer ? {} : answer.headers;
  const json = 'json' in answer ? answer.json : encodeJson(answer.value, isTrue(request.query.get('pretty')));
  return {
    status: answer.status,
    headers: { ...headers, ...own, ...(warning !== '' && { warning }) },
    body: `${json}\n`,
  };
}

/** Encodes an error as an HTTP response, with its warnings. Clients retry on their own only if it has Retry-After. */
export function encodeError(
  request: ApiRequest,
  error: ApiError,
  warnings: readonly string[] = [],
): ApiResponse {
  if (error instanceof NoSuchPageError) {
    return encodeAnswer(request, { status: error.code, text: `${error.message}\n` });
  }
  const { headers, ...response } = encodeAnswer(request, {
    status: error.code,
    value: failureStatus(error),
    warnings: [...warnings, ...error.warnings],
  });
  const seconds = error.details.retryAfterSeconds;
  return {
    ...response,
    headers: seconds === undefined ? headers : { ...headers, 'retry-after': String(seconds) },
  };
}

/** Compresses a response if the client accepts gzip and the body is long enough. Streams are left as they are. */
export async function compressResponse(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  const { body, headers } = response;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  if (!isWhole || headers['content-encoding'] !== undefined) return response;
  if (body.length <= COMPRESS_FROM || !acceptsGzip(request)) return response;
  return compressed(response, await compress(body));
}

function compress(body: string | Uint8Array): Promise<Buffer> {
  const { constants, gzip } = zlib();
  return new Promise((resolve, reject) => {
    gzip(body, { level: constants.Z_BEST_SPEED }, (error, bytes) =>
      error === null ? resolve(bytes) : reject(error),
    );
  });
}

function compressed(response: ApiResponse, body: ApiResponse['body']): ApiResponse {
  const { headers } = response;
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  return { ...response, headers: { ...headers, 'content-encoding': 'gzip', vary }, body };
}

/** Compresses the pieces one by one. An error destroys the stream, so its reader sees the error. */
function compressPieces(pieces: AsyncIterable<string>): Readable {
  const { constants, createGzip } = zlib();
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  pipeline(Readable.from(pieces, { highWaterMark: 1 }), gzip, () => undefined);
  return gzip;
}

/** @throws ApiError 413 the response is too large for a buffered transport; the message names `limit` */
export function refuseTooLong({ body }: ApiResponse, maximumBytes: number | undefined): void {
  if ((typeof body === 'string' || body instanceof Uint8Array) && isTooLong(body, maximumBytes)) {
    throw tooLarge(
      `the response is larger than ${maximumBytes} bytes, which is the limit for one response; list in pages with limit and continue`,
    );
  }
}

/** Whether a body exceeds the maximum in its encoded form: text as a JSON string literal, bytes in base64. */
export function isTooLong(body: string | Uint8Array, maximumBytes: number | undefined): boolean {
  if (maximumBytes === undefined || body.length * MOST_ESCAPED <= maximumBytes) return false;
  const bytes = typeof body === 'string' ? Buffer.byteLength(JSON.stringify(body)) : (body.length * 4) / 3;
  return bytes > maximumBytes;
}

function acceptsGzip({ headers }: ApiRequest): boolean {
  const accepted = (headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return accepted.some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.0*[1-9]).*)?$/.test(coding));
}

/**
 * Serializes a value, indented if requested. A deeply nested value that indenting would multiply in size stays
 * compact.
 */
export function encodeJson(value: JsonValue, pretty: boolean): string {
  const compact = JSON.stringify(value);
  return pretty && indentation(value, 1) <= FREE_INDENTATION + MOST_INDENTATION * compact.length
    ? JSON.stringify(value, null, INDENT)
    : compact;
}

/** The most spaces that indenting adds to a value. */
function indentation(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return (
    members.reduce<number>((sum, member) => sum + indentation(member, depth + 1), 0) +
    (members.length + 1) * depth * INDENT
  );
}

/** The header values of distinct warnings, as many as one response may carry. */
function warningsThatFit(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings.map(headerText))];
  const isLong = texts.reduce((sum, { length }) => sum + length, 0) > LONGEST_WARNINGS;
  const values = texts.map((text) => warningValue(isLong ? text.slice(0, SHORTENED_WARNING) : text));
  let left = LONGEST_HEADER;
  return values.filter((value) => {
    left -= value.length + 2;
    return left >= 0;
  });
}

/** The text without control characters. A header has only ASCII characters, so others become question marks. */
function headerText(text: string): string {
  return text.replace(/\p{Cc}/gu, '').replace(/[^ -~]/gu, '?');
}

function warningValue(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
}
