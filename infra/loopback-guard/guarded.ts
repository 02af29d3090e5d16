import type { RequestListener } from 'node:http';
import { type GuardOptions, judgeRequest } from './judge-request.ts';
import { sendRefusal } from './refusal.ts';

/** Wraps a listener with the guard. The listener does not receive refused requests. */
export function guarded(listener: RequestListener, options: GuardOptions): RequestListener {
  return (request, response) => {
    const { url = '', rawHeaders } = request;
    const refusal = judgeRequest({ target: url, rawHeaders }, options);
    if (refusal === undefined) return listener(request, response);
    sendRefusal(response, refusal, { vary: 'Host, Origin, Sec-Fetch-Site' });
  };
}
