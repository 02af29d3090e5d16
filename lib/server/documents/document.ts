import { createHash } from 'node:crypto';
import type { JsonValue } from '../../json/index.ts';

/** A response that is the same for all users: discovery, OpenAPI or the version. It fits an ApiResponse. */
export interface Document {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A document that is text. */
export interface TextDocument extends Document {
  readonly body: string;
}

/** Creates a JSON document whose ETag is a hash of its content. */
export function jsonDocument(value: JsonValue, headers: Readonly<Record<string, string>> = {}): TextDocument {
  const body = JSON.stringify(value);
  return {
    headers: { 'content-type': 'application/json', etag: `"${hash(body)}"`, vary: 'Accept', ...headers },
    body,
  };
}

/** Returns the document, or 304 without a body if the client already has it (If-None-Match). */
export function serveDocument(
  { headers, body }: Document,
  ifNoneMatch: string | undefined,
): { status: number; headers: Record<string, string>; body: string | Uint8Array } {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const unchanged = headers.etag !== undefined && known.includes(headers.etag);
  return { status: unchanged ? 304 : 200, headers: { ...headers }, body: unchanged ? '' : body };
}

/** A hash of a text, which is equal in every process. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}
