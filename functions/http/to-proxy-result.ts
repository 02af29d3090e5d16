import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiResponse } from '../../lib/server/index.ts';

/** The longest buffered body. Lambda's limit for an answer is 6 MB; the rest is for headers and the envelope. */
export const MAXIMUM_BUFFERED_BYTES = 6_291_556 - 16 * 1024;

/** A response with a complete body. */
export interface BufferedResponse extends ApiResponse {
  readonly body: string | Uint8Array;
}

/** The result of a proxy integration that buffers: text unchanged, bytes in base64. */
export function toProxyResult({ status, headers, body }: BufferedResponse): APIGatewayProxyResult {
  return typeof body === 'string'
    ? { statusCode: status, headers, body, isBase64Encoded: false }
    : { statusCode: status, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
