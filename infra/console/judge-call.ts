import type { IncomingMessage } from 'node:http';
import { type Refusal, refusalOf } from '../loopback-guard/index.ts';
import { asksForToken } from '../loopback-proxy/index.ts';
import type { Target } from './read-target.ts';
import { judgeSecrets } from './secrets/index.ts';

/** What the page of a console may do. */
export interface Mode {
  /** Whether the page may write nothing. */
  readonly readOnly: boolean;
  /** Whether the page may see the data of Secrets. */
  readonly secrets: boolean;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/**
 * Reviews that Winnow answers and does not store. TokenReviews are missing, because the page has no token to ask about.
 */
const REVIEWS: readonly string[] = [
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/winnow.dev/v1/placementreviews',
  '/apis/winnow.dev/v1/reachabilityreviews',
  '/apis/winnow.dev/v1/selectionreviews',
];
/** The headers of the view "see as". */
const SEE_AS: readonly string[] = ['impersonate-user', 'impersonate-group'];

/**
 * Refuses requests that a page may not send. Dry runs count as writes, because their answers come from the code of
 * writes. A GET may impersonate: the roles of the console's user decide whether it may, and a GET writes nothing.
 */
export function judgeCall(request: IncomingMessage, target: Target, mode: Mode): Refusal | undefined {
  const { method = '' } = request;
  if (request.headers.upgrade !== undefined) {
    return refusalOf(403, 'the console has no websockets: read a watch as a stream');
  }
  if (!METHODS.includes(method)) return refusalOf(405, `the console does not pass on ${method} requests`);
  if (asksForToken(target.path)) {
    return refusalOf(403, 'the console does not pass on requests for tokens of service accounts');
  }
  const isReview = method === 'POST' && REVIEWS.includes(target.path);
  if (mode.readOnly && method !== 'GET' && !isReview) {
    return refusalOf(
      403,
      `the console is read-only: start it without --read-only to send ${method} requests`,
    );
  }
  return judgeImpersonation(request) ?? (mode.secrets ? undefined : judgeSecrets(request, target));
}

function judgeImpersonation({ method, headers }: IncomingMessage): Refusal | undefined {
  const names = Object.keys(headers).filter((name) => name.startsWith('impersonate-'));
  if (names.length === 0) return undefined;
  if (method !== 'GET') return refusalOf(403, 'the console impersonates users only in GET requests');
  const other = names.find((name) => !SEE_AS.includes(name));
  if (other === undefined) return undefined;
  return refusalOf(403, `the console passes on Impersonate-User and Impersonate-Group only, not ${other}`);
}
