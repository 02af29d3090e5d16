import type { Refusal } from './judge-request.ts';

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
