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

/** Answers whose words quote what was sent. */
const QUOTING: ReadonlySet<number> = new Set([400, 422]);
/** Characters of an answer's words that are told: they may quote all that was sent. */
const LONGEST_MESSAGE = 10_000;

/** What the events of a request say of its body. */
export interface AuditedBody extends RequestObject {
  /** The name of the object that a create brings. */
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

/** The events of one request, each kept as its stage is reached. */
export class RequestTrail implements AuditTrail {
  readonly #options: RequestTrailOptions;
  readonly #annotations: Record<string, string> = {};
  #request: AuditedRequest;
  /** Whether words that quote what was sent are left out. */
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

/** Of a refusal what its Status says, as far as that is JSON. */
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
