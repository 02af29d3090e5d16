import { type ReadonlySignal, signal } from '@preact/signals';

/** What the console's process says about the session. */
export interface SessionInfo {
  /** The context of the kubeconfig. */
  readonly context: string;
  /** The URL of Winnow. */
  readonly server: string;
  /** The name of the user, if it is known. */
  readonly user?: string;
  readonly readOnly: boolean;
  /** Whether the data of Secrets is shown. */
  readonly secrets: boolean;
  /** Whether Winnow runs on this machine. */
  readonly loopback: boolean;
}

/** `opening`: the answer is on its way. `closed`: the page needs a new link. `gone`: the console's process has ended. */
export type SessionPhase = 'opening' | 'open' | 'closed' | 'gone';

const HEADER = 'winnow-session';
/** `localStorage` is per port. Cookies are not, so a server on another port would receive them. */
const KEY = 'winnow-session';

/** The pause between two questions whether the process is back, in ms. */
const AGAIN = 2_000;

let timer: ReturnType<typeof setTimeout> | undefined;

const phase = signal<SessionPhase>('opening');
const info = signal<SessionInfo>({
  context: '',
  server: '',
  readOnly: true,
  secrets: false,
  loopback: true,
});

const closing = signal('');

export const sessionPhase: ReadonlySignal<SessionPhase> = phase;
/** Why the link began no session, in the words of the console's process. Empty without a link. */
export const whyClosed: ReadonlySignal<string> = closing;
/** Empty until the session is open. */
export const sessionInfo: ReadonlySignal<SessionInfo> = info;

/** Trades the one-time code of the link for a token, or takes up the session of an earlier page. */
export async function openSession(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  try {
    let answer = code === null ? await resumed() : await begun(code);
    // Any site may link here with a wrong code, which must not end the session of the other tabs.
    if (!answer.ok && code !== null) {
      closing.value = ((await answer.json()) as { readonly message: string }).message;
      answer = await resumed();
    }
    if (!answer.ok) return close();
    await take(answer);
  } catch {
    leave();
  }
}

async function take(answer: Response): Promise<void> {
  const { token, ...rest } = (await answer.json()) as SessionInfo & { readonly token?: string };
  if (token !== undefined) localStorage.setItem(KEY, token);
  info.value = rest;
  phase.value = 'open';
}

// A tab without a session goes on with the one that a new link began in another tab.
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue !== null && phase.value === 'closed') void confirm();
});

/** `fetch` with the token of the session. It notices the end of the session and of the console's process. */
export const sessionFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set(HEADER, localStorage.getItem(KEY) ?? '');
  try {
    const answer = await fetch(input, { ...init, headers });
    if (answer.status === 401) void confirm();
    return answer;
  } catch (error) {
    if (init?.signal?.aborted !== true) void confirm();
    throw error;
  }
};

/** Asks the console's process whether the session lives: a 401 may also be Winnow's own. */
async function confirm(): Promise<void> {
  try {
    const answer = await resumed();
    if (answer.status === 401) {
      close();
    } else if (phase.value !== 'open') {
      await (answer.ok ? take(answer) : leave());
    }
  } catch {
    leave();
  }
}

/** Tells the page that the process has ended, and asks until it is back. */
function leave(): void {
  if (phase.value === 'closed') return;
  phase.value = 'gone';
  // Many requests may fail at once: one timer asks for all of them.
  clearTimeout(timer);
  timer = setTimeout(() => void confirm(), AGAIN);
}

function begun(code: string): Promise<Response> {
  // The code works once, so the address must not keep it.
  history.replaceState(null, '', location.pathname + location.search);
  const headers = { 'content-type': 'application/json' };
  return fetch('/session', { method: 'POST', headers, body: JSON.stringify({ code }) });
}

function resumed(): Promise<Response> {
  return fetch('/session', { headers: { [HEADER]: localStorage.getItem(KEY) ?? '' } });
}

function close(): void {
  localStorage.removeItem(KEY);
  phase.value = 'closed';
}
