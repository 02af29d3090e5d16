import {
  type AuditEvent,
  type AuditedRequest,
  auditEvent,
  type Stage,
  type Verdict,
} from '../../kubernetes/audit/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { ApiResponse, AuditTrail, Decided, UserInfo } from '../http/index.ts';
import type { RequestObject } from './request-object.ts';

/** Status codes of responses whose message may quote the body. */
const QUOTING: ReadonlySet<number> = new Set([400, 422]);
/** The most characters of a recorded message, which may quote the whole body. */
const LONGEST_MESSAGE = 10_000;
/** The prefix of annotations with the patches of webhooks. */
const PATCH = 'patch.webhook.admission.k8s.io/';
/** The most characters of the annotations of admission policies in one event. CloudWatch accepts lines of 256 KiB. */
const LONGEST_ANNOTATIONS = 60_000;

/** The facts about the body that the events of a request record. */
export interface AuditedBody extends RequestObject {
  /** The name of the object in the body of a create. */
  readonly nameSent: string | undefined;
}

export interface RequestTrailOptions {
  readonly request: AuditedRequest;
  readonly verdict: Verdict;
  readonly clock: Clock;
  /** Parses the body. Called only for a request that its caller may send. */
  readBody(): Promise<AuditedBody>;
  keep(event: AuditEvent): void;
  settle?: (() => Promise<void>) | undefined;
}

/** The events of one request. Each is stored when the request reaches its stage. */
export class RequestTrail implements AuditTrail {
  readonly #options: RequestTrailOptions;
  readonly #annotations: Record<string, string> = {};
  #request: AuditedRequest;
  /** Whether messages that quote the body are left out. */
  #isSecret: boolean;
  #impersonated: UserInfo | undefined;

  constructor(options: RequestTrailOptions) {
    this.#options = options;
    this.#request = options.request;
    this.#isSecret = options.verdict.isSecret;
    this.#tell('RequestReceived');
  }

  answersTo(user: UserInfo): void {
    this.#impersonated = user;
  }

  async accepted(): Promise<void> {
    const { told, notes, nameSent, isSecret = false } = await this.#options.readBody();
    this.#isSecret ||= isSecret;
    this.#request = { ...this.#request, ...told, nameSent };
    Object.assign(this.#annotations, notes);
  }

  decided({ allowed, reason }: Decided): void {
    this.#annotations['authorization.k8s.io/decision'] = allowed ? 'allow' : 'forbid';
    this.#annotations['authorization.k8s.io/reason'] = reason;
  }

  annotated(annotations: ReadonlyMap<string, string>): void {
    let left = LONGEST_ANNOTATIONS;
    for (const [key, value] of annotations) {
      // A patch is content of the object, which only this level records.
      if (key.startsWith(PATCH) && this.#options.verdict.level !== 'Request') continue;
      left -= key.length + value.length;
      // Authorization's own annotations stay: the author of a policy chooses the keys of its annotations.
      if (left >= 0) this.#annotations[key] ??= value;
    }
  }

  answered(response: ApiResponse, { lasts }: { readonly lasts: boolean }): ApiResponse {
    const { body } = response;
    if (!lasts || typeof body === 'string' || body instanceof Uint8Array) {
      this.#tell('ResponseComplete', response);
      return response;
    }
    this.#tell('ResponseStarted', response);
    return { ...response, body: this.#toEnd(body as AsyncIterable<string>, response) };
  }

  async settled(): Promise<void> {
    await this.#options.settle?.();
  }

  async *#toEnd(lines: AsyncIterable<string>, response: ApiResponse): AsyncGenerator<string> {
    try {
      yield* lines;
    } finally {
      this.#tell('ResponseComplete', response);
      await this.settled();
    }
  }

  #tell(stage: Stage, response?: ApiResponse): void {
    const { verdict, clock, keep } = this.#options;
    if (verdict.omitStages.has(stage)) return;
    const { level } = verdict;
    const now = clock.now();
    const told = { ...this.#request, impersonatedUser: this.#impersonated };
    if (response === undefined) {
      keep(auditEvent(told, { level, stage, now }));
    } else {
      const responseStatus = statusOf(response, this.#isSecret);
      keep(auditEvent(told, { level, stage, now, responseStatus, annotations: this.#annotations }));
    }
  }
}

/**
 * The status for an event. For an error response, it includes the reason and message of its Status, if the body is
 * JSON.
 */
function statusOf({ status: code, body }: ApiResponse, isSecret: boolean) {
  if (code < 400 || typeof body !== 'string') return { code };
  try {
    const { reason, message } = JSON.parse(body);
    return isSecret && QUOTING.has(code) ? { code, reason } : { code, reason, message: shortened(message) };
  } catch {
    return { code };
  }
}

function shortened(message: unknown): string | undefined {
  return typeof message === 'string' ? message.slice(0, LONGEST_MESSAGE) : undefined;
}
