import type { RequestListener } from 'node:http';
import { type GuardOptions, judgeRequest } from './judge-request.ts';
import { refusalBody } from './refusal-body.ts';

/** Wraps a listener with the guard. The listener does not receive refused requests. */
export function guarded(listener: RequestListener, options: GuardOptions): RequestListener {
  return (request, response) => {
    const { url = '', rawHeaders } = request;
    const refusal = judgeRequest({ target: url, rawHeaders }, options);
    if (refusal === undefined) return listener(request, response);
    const body = refusalBody(refusal);
    response.writeHead(refusal.code, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      vary: 'Host, Origin, Sec-Fetch-Site',
    });
    // Node discards the request's body once the answer is written.
    response.end(body);
  };
}
