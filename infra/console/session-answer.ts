import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type JsonValue, objectAt } from '../../lib/json/index.ts';
import { askUpstream, type Upstream } from '../loopback-proxy/index.ts';
import type { Mode } from './judge-call.ts';

/** The answer to `/session`: what the page shows about its connection. */
export interface SessionAnswer extends Mode {
  /** The context of the kubeconfig, or `local`. */
  readonly context: string;
  /** The URL of Winnow. */
  readonly server: string;
  /** The user of the console at Winnow; absent if Winnow does not say. */
  readonly user?: string;
  /** Whether Winnow runs on this machine. */
  readonly loopback: boolean;
}

/** The longest wait for Winnow, in ms. The page works without a user name. */
const WAIT = 5_000;
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Asks Winnow for the user of the console, and describes the connection. */
export async function sessionAnswer(
  upstream: Upstream,
  { context, readOnly, secrets }: Mode & { readonly context: string },
): Promise<SessionAnswer> {
  const user = await whoAmI(upstream).catch(() => undefined);
  const { hostname } = new URL(upstream.url);
  const loopback = LOOPBACK.test(hostname);
  return { context, server: upstream.url, ...(user && { user }), readOnly, secrets, loopback };
}

async function whoAmI(upstream: Upstream): Promise<string | undefined> {
  const body = JSON.stringify(REVIEW);
  const answer = await askUpstream(
    {
      method: 'POST',
      target: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      signal: AbortSignal.timeout(WAIT),
      body: Readable.from([body]),
    },
    upstream,
  );
  const review: JsonValue = JSON.parse(await text(answer));
  const { username } = objectAt(objectAt(objectAt(review).status).userInfo);
  return typeof username === 'string' ? username : undefined;
}
