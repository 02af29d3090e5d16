import { pause } from '../pause.ts';
import { type Address, type AddressOptions, readAddress } from './address.ts';
import {
  errorOf,
  finalError,
  messageOf,
  OutcomeUnknownError,
  SilenceError,
  UnavailableError,
  type WinnowError,
} from './errors.ts';
import { readBreak } from './unsent.ts';

export interface ConnectOptions extends AddressOptions {
  /** The time for one request with its repetitions, in ms; 30,000 by default. A watch has it to begin. */
  readonly deadline?: number | undefined;
  /** The name of this program as an owner of fields; `winnow-client` by default. */
  readonly manager?: string | undefined;
  /** Replaces the global `fetch`, for example to trust a private certificate authority. */
  readonly fetch?: typeof fetch | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the URL, with the names in it encoded: `/api/v1/namespaces/default/pods`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer may be text. Without it, an answer that is no JSON is an error: another server answered. */
  readonly mayBeText?: boolean | undefined;
  /** Whether the request changes nothing, such as a review. By default this is true for a GET only. */
  readonly isRead?: boolean | undefined;
  /** Whether a repetition does no harm after the answer was lost. By default this is true if the request is a read. */
  readonly isRepeatable?: boolean | undefined;
  /** Called with the warnings of the answer, if it has any. */
  readonly warned?: ((warnings: readonly string[]) => void) | undefined;
}

/** A successful answer whose body arrives in pieces. */
export interface Stream {
  readonly body: ReadableStream<Uint8Array>;
  readonly auditId: string;
}

/** One attempt that did not succeed. */
interface Failure {
  readonly error: WinnowError;
  /**
   * `answered`: the server answered with an error. `broken`: there is no whole answer. `unsent`: the server did not get
   * the request. `untrusted`: it will not get it, because its certificate is not trusted.
   */
  readonly kind: 'answered' | 'broken' | 'unsent' | 'untrusted';
  /** The pause in ms that the server asks for. */
  readonly after?: number | undefined;
}

type Outcome<Result> = { readonly result: Result } | Failure;

const DEADLINE = 30_000;
/** The longest time of a timer, in ms. A longer one would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** The most repetitions after broken connections, so that a missing server is reported within seconds. */
const MOST_BREAKS = 4;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 8_000;

/** The connection to one Winnow. It adds the token, keeps the deadline, and repeats a request where that is safe. */
export class Transport {
  readonly manager: string;
  readonly #address: Address;
  readonly #fetch: typeof fetch;
  readonly #deadline: number;

  /** @throws {TypeError} there is no usable URL, or a token would travel without encryption */
  constructor(options: ConnectOptions) {
    this.manager = options.manager ?? 'winnow-client';
    this.#address = readAddress(options);
    // The fetch of a page refuses to be called as a method of another object.
    const { fetch: given = fetch } = options;
    this.#fetch = (input, init) => given(input, init);
    this.#deadline = Math.min(options.deadline ?? DEADLINE, LONGEST_TIMER);
  }

  /**
   * Sends a request and returns the JSON of the answer, or its text if the request allows text.
   *
   * @throws {WinnowError} the request failed; the class says why
   */
  async send<Answer>(request: ApiRequest): Promise<Answer> {
    const { signal } = request;
    const ending = new AbortController();
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    let warnings: readonly string[] = [];
    try {
      const answer = await this.#within(ending, request, async (response) => {
        const text = await response.text();
        warnings = warningsOf(response.headers.get('warning'));
        const type = response.headers.get('content-type') ?? 'application/json';
        if (type.includes('json')) return JSON.parse(text);
        if (request.mayBeText === true) return text;
        throw new TypeError(`the answer is ${type} and no JSON: is this the URL of Winnow?`);
      });
      // An error of the caller's function is not one of the request.
      if (warnings.length > 0) request.warned?.(warnings);
      return answer;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Opens an answer that arrives in pieces. The controller ends it; so does the deadline, if the answer has not begun.
   *
   * @throws {WinnowError} the request failed; the class says why
   */
  open(request: ApiRequest, ending: AbortController): Promise<Stream> {
    return this.#within(ending, request, async ({ body }, auditId) => {
      if (body === null) throw new TypeError('the answer has no body');
      return { body, auditId };
    });
  }

  /** Repeats a request until it succeeds, fails for good, or the deadline passes. */
  async #within<Result>(
    ending: AbortController,
    request: ApiRequest,
    read: (response: Response, auditId: string) => Promise<Result>,
  ): Promise<Result> {
    const late = new SilenceError(`no answer within ${this.#deadline} ms`);
    const timer = setTimeout(() => ending.abort(late), this.#deadline);
    const auditId = newAuditId();
    let isRenewed = false;
    try {
      let authorization = await inTime(this.#address.authorization(), ending.signal);
      for (let tries = 0, breaks = 0, lostAnswers = 0; ; tries++) {
        if (ending.signal.aborted && ending.signal.reason !== late) throw ending.signal.reason;
        const attempt = { request, auditId, authorization, lostAnswers, signal: ending.signal };
        const outcome = await this.#try(attempt, read);
        if ('result' in outcome) return outcome.result;
        const { error, kind } = outcome;
        if (ending.signal.aborted) {
          throw ending.signal.reason === late ? finalError(error, lostAnswers) : ending.signal.reason;
        }
        if (error.code === 401 && !isRenewed && authorization !== undefined) {
          isRenewed = true;
          const refused = authorization.slice('Bearer '.length);
          const renewed = await inTime(this.#address.authorization(refused), ending.signal);
          if (renewed === authorization) throw error;
          authorization = renewed;
          continue;
        }
        if (kind !== 'answered') breaks += 1;
        if (!isWorthRepeating(outcome, request) || breaks > MOST_BREAKS) {
          throw finalError(error, lostAnswers);
        }
        if (error instanceof OutcomeUnknownError) lostAnswers += 1;
        const longest = Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE);
        // Clients that were refused together come back one after the other.
        await pause((outcome.after ?? 0) + Math.random() * longest, ending.signal);
        if (ending.signal.reason === late) throw finalError(error, lostAnswers);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #try<Result>(
    { request, auditId, authorization, lostAnswers, signal }: Attempt,
    read: (response: Response, auditId: string) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const { method, path, body, contentType = 'application/json', accept = 'application/json' } = request;
    const title = `${method} ${path}`;
    const headers: Record<string, string> = { accept, 'audit-id': auditId };
    if (authorization !== undefined) headers.authorization = authorization;
    if (body !== undefined) headers['content-type'] = contentType;
    const url = urlOf(this.#address.base, request);
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      // A redirect is never followed: the token is for this origin only.
      const response = await this.#fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...content,
      });
      if (response.ok) return { result: await read(response, auditId) };
      const refusal = {
        request: title,
        code: response.status,
        auditId,
        lostAnswers,
        writes: !isRead(request),
      };
      const error = errorOf({ ...refusal, text: await response.text() });
      return { kind: 'answered', error, after: secondsOf(response.headers.get('retry-after')) };
    } catch (cause) {
      const { code, isUnsent, isFinal } = readBreak(cause);
      const reason = signal.aborted ? signal.reason : cause;
      const what = code ?? messageOf(reason);
      const message = `${title}: ${this.#address.base} gave no whole answer: ${what}`;
      const isUnknown = !isRead(request) && !isUnsent;
      const error = new (isUnknown ? OutcomeUnknownError : UnavailableError)(message, {
        auditId,
        lostAnswers,
        cause: reason,
      });
      return { kind: isFinal ? 'untrusted' : isUnsent ? 'unsent' : 'broken', error };
    }
  }
}

interface Attempt {
  readonly request: ApiRequest;
  readonly auditId: string;
  readonly authorization: string | undefined;
  readonly lostAnswers: number;
  readonly signal: AbortSignal;
}

/** The value of a promise, unless the signal aborts before. */
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function isRead({ method, isRead = method === 'GET' }: ApiRequest): boolean {
  return isRead;
}

/** A request that got 429 with a `Retry-After` did nothing. */
function isWorthRepeating({ kind, error, after }: Failure, request: ApiRequest): boolean {
  if (kind === 'unsent' || (error.code === 429 && after !== undefined)) return true;
  if (kind === 'untrusted' || !(request.isRepeatable ?? isRead(request))) return false;
  if (kind === 'broken' || error.code === 429 || error.code === 503) return true;
  return error.code === 504 && after !== undefined;
}

/** @throws {TypeError} the path does not begin with one slash, so it could lead elsewhere */
function urlOf(base: string, { path, query = {} }: ApiRequest): string {
  if (!/^\/(?!\/)/.test(path)) throw new TypeError(`the path "${path}" has to begin with one slash`);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  const text = parameters.toString();
  return `${base}${path}${text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`}`;
}

/** The texts of a header such as `299 - "one", 299 - "two"`. */
function warningsOf(header: string | null): string[] {
  const texts = (header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(texts, ([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

function secondsOf(header: string | null): number | undefined {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : undefined;
}

/** `crypto.randomUUID` is missing in pages that came over plain HTTP. */
function newAuditId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
