import type { Refusal } from './judge-request.ts';

/** A refusal as the JSON of a Kubernetes `Status`, which kubectl and client libraries show. */
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
