import type { ServerResponse } from 'node:http';

/** The reasons of Kubernetes by the status code of a refused request. */
const REASONS = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
} as const;

type Code = keyof typeof REASONS;

/** A refused request, in the fields of a Kubernetes `Status`. */
export interface Refusal {
  readonly code: Code;
  readonly reason: (typeof REASONS)[Code];
  readonly message: string;
}

export function refusalOf(code: Code, message: string): Refusal {
  return { code, reason: REASONS[code], message };
}

/** Converts a refusal into the JSON of a Kubernetes `Status`, which kubectl and client libraries display. */
export function refusalBody({ code, reason, message }: Refusal): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  });
}

/** Answers a request with a refusal. Node discards the request's body once the answer is written. */
export function sendRefusal(
  response: ServerResponse,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = refusalBody(refusal);
  response.writeHead(refusal.code, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
