import { ClientRequest } from 'node:http';

/** One request of the SDK, and when it was under way: `began` and `ended` are places in one order of all moments. */
export interface RecordedRequest {
  /** `DynamoDB_20120810.GetItem`, `AmazonSQS.SendMessageBatch`. */
  readonly target: string;
  readonly body: string;
  readonly began: number;
  /** Infinity while there is no whole answer. */
  readonly ended: number;
}

type End = ClientRequest['end'];

/** Notes what leaves this process over `node:http`, and when its answer was read to the end. */
export class RequestRecorder {
  #requests: { target: string; body: string; began: number; ended: number }[] = [];
  #moments = 0;

  install(): void {
    const end: End = ClientRequest.prototype.end;
    const note = (request: ClientRequest, body: unknown) => this.#note(request, body);
    ClientRequest.prototype.end = function noted(this: ClientRequest, ...given: unknown[]) {
      note(this, given[0]);
      return Reflect.apply(end, this, given);
    } as End;
  }

  /** What was asked since the last time. */
  take(): RecordedRequest[] {
    const taken = this.#requests;
    this.#requests = [];
    return taken;
  }

  #note(request: ClientRequest, body: unknown): void {
    const target = String(request.getHeader('x-amz-target'));
    const recorded = { target, body: textOf(body), began: this.#next(), ended: Number.POSITIVE_INFINITY };
    this.#requests.push(recorded);
    request.once('response', (response) => {
      response.once('end', () => {
        recorded.ended = this.#next();
      });
    });
  }

  #next(): number {
    this.#moments += 1;
    return this.#moments;
  }
}

/** What each request waited for: those that had ended when it began. */
export function waitsOf(requests: readonly RecordedRequest[]): number[][] {
  return requests.map(({ began }) => requests.flatMap(({ ended }, index) => (ended < began ? [index] : [])));
}

/** How many of the requests came one after the other. */
export function sequentialSteps(requests: readonly RecordedRequest[]): number {
  const depths: number[] = [];
  for (const waits of waitsOf(requests)) {
    depths.push(1 + Math.max(0, ...waits.map((index) => depths[index] ?? 0)));
  }
  return Math.max(0, ...depths);
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : Buffer.from((body as Uint8Array | undefined) ?? []).toString();
}
