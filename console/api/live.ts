import { type ReadonlySignal, signal } from '@preact/signals';
import { connect, type Kind, type LiveSet, resource, type TableRow } from '../../lib/client/objects/index.ts';
import { sessionFetch } from '../session/index.ts';
import { asOther } from './client.ts';
import type { KindInfo } from './shapes.ts';

/**
 * How the page hears of changes. `following`: by a watch. `asking`: every 15 s, because other tabs hold the connections
 * that the browser has for one server. `resting`: not at all, while the tab is hidden.
 */
export type FollowState = 'following' | 'asking' | 'resting';

/** A browser opens six connections to one server, for all tabs together. Four may be watches; the others answer requests. */
const LOCKS = ['winnow-watch-1', 'winnow-watch-2', 'winnow-watch-3', 'winnow-watch-4'];
/** The time after which a hidden tab stops watching, in ms. */
const REST_AFTER = 30_000;
/** The pause between two short watches of a tab without a lock, in ms. */
const ASK_EVERY = 15_000;
/** The time in which at most two groups of news are shown, in ms. */
const TWO_SHOWN_IN = 200;
/** Waiting for a lock or for the tab may take as long as it takes. */
const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

const following = signal<FollowState>('following');

/** How this tab hears of changes. */
export const watchState: ReadonlySignal<FollowState> = following;

/** The set whose changes the page follows. */
export interface Question {
  readonly kind: KindInfo;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly selector: string;
  /** A field selector. */
  readonly fields: string;
}

/** The most rows that the page holds. */
export const MOST_ROWS = 10_000;
/** The most whole objects that it holds. */
const MOST_OBJECTS = 2_000;

/** Follows the rows of a set: those of the table that kubectl prints. */
export function followRows(question: Question): LiveSet<TableRow> {
  return objectsOf<unknown>(question).live(question.selector, {
    early: true,
    shape: 'table',
    most: MOST_ROWS,
    schedule: paced(),
  });
}

/** Follows the whole objects of a set, 2,000 at most. */
export function followObjects<Body>(question: Question): LiveSet<Body> {
  return objectsOf<Body>(question).live(question.selector, {
    early: true,
    most: MOST_OBJECTS,
    schedule: paced(),
  });
}

/**
 * Makes a scheduler of news: the first ones are shown with the next frame, a stream of news ten times a second on average.
 * Rows shown with each frame would leave no time to paint what the user types.
 */
function paced(): (run: () => void) => void {
  // A set tells first that it starts, and then its rows, which must not wait for that.
  let last = Number.NEGATIVE_INFINITY;
  let lastButOne = Number.NEGATIVE_INFINITY;
  return (run) => {
    const show = () =>
      requestAnimationFrame((now) => {
        lastButOne = last;
        last = now;
        run();
      });
    const wait = lastButOne + TWO_SHOWN_IN - performance.now();
    if (wait <= 0) return show();
    setTimeout(show, wait);
  };
}

/** The objects of a set over a connection of its own. */
function objectsOf<Body>({ kind, namespace, fields }: Question) {
  const { apiVersion, plural, kind: name, namespaced } = kind;
  const withFields: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    // The client takes only conditions of equality.
    if (fields !== '') url.searchParams.set('fieldSelector', fields);
    return patientFetch(url, init);
  };
  const connection = connect({ url: location.origin, fetch: withFields, deadline: NO_DEADLINE });
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  const where = namespaced && namespace !== '' ? { namespace } : {};
  return connection.objects(
    resource<Kind<Body, unknown, never>>(apiVersion, plural, { kind: name, scope }),
    where,
  );
}

/** `fetch` of live sets. It waits while the tab is hidden, and gives a watch one of the few connections. */
async function patientFetch(url: URL, init: RequestInit = {}): Promise<Response> {
  const asked = asOther(init);
  const { signal: left } = asked;
  await visible(left);
  if (url.searchParams.get('watch') !== 'true') return send(url, asked);
  const release = await takeLock();
  if (release === undefined) return shortWatch(url, asked);
  following.value = 'following';
  const resting = new AbortController();
  const ended = AbortSignal.any([resting.signal, ...(left ? [left] : [])]);
  const unhide = onHiddenFor(REST_AFTER, () => {
    following.value = 'resting';
    resting.abort(new Error('the tab is hidden'));
  });
  const end = () => {
    unhide();
    release();
  };
  ended.addEventListener('abort', end, { once: true });
  try {
    const answer = await send(url, { ...asked, signal: ended });
    if (answer.body === null) return answer;
    return new Response(answer.body.pipeThrough(new TransformStream({ flush: end })), answer);
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Sends a request of a live set. The client would repeat a 503 or a 504 until its deadline, which never comes, and the page
 * would go on to say "Live". As a 502, the answer ends the request: the set becomes stale, and repeats it.
 */
async function send(url: URL, init: RequestInit): Promise<Response> {
  const answer = await sessionFetch(url, init);
  if (answer.status !== 503 && answer.status !== 504) return answer;
  return new Response(answer.body, { status: 502, headers: answer.headers });
}

/** A watch that ends at once with the changes so far. */
async function shortWatch(url: URL, init: RequestInit): Promise<Response> {
  if (following.value === 'asking') await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  following.value = 'asking';
  url.searchParams.set('timeoutSeconds', '1');
  return send(url, init);
}

/** Takes one of the locks that all tabs of this page share. Returns a function that releases it; undefined without one. */
async function takeLock(): Promise<(() => void) | undefined> {
  for (const name of LOCKS) {
    const release = await new Promise<(() => void) | undefined>((taken) => {
      void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return taken(undefined);
        return new Promise<void>((released) => taken(() => released()));
      });
    });
    if (release !== undefined) return release;
  }
  return undefined;
}

/** Resolves when the tab is visible, or rejects when the signal aborts. */
async function visible(left: AbortSignal | null | undefined): Promise<void> {
  if (document.visibilityState === 'visible') return;
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    left?.addEventListener('abort', () => {
      document.removeEventListener('visibilitychange', look);
      reject(left.reason);
    });
  });
}

/** Calls a function once the tab was hidden for a time. Returns a function that ends the waiting. */
function onHiddenFor(time: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(call, time);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
