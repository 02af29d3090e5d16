import {
  errorOfEvent,
  messageOf,
  SilenceError,
  type Status,
  UnavailableError,
  WinnowError,
} from './errors.ts';
import { rowsOf, type Shown } from './shape.ts';
import type { Stored } from './stored-object.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** One event of a watch. A bookmark only says how far the watch has come. */
export type WatchEvent<Body> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Stored<Body> }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest time without a byte, in ms. After it the connection counts as lost. */
  readonly silence: number;
  /** Called when the answer begins. */
  readonly opened?: (() => void) | undefined;
  /** Called for each piece of the answer. */
  readonly heard?: (() => void) | undefined;
}

type Line =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Shown }
  | {
      readonly type: 'BOOKMARK';
      readonly object: { readonly metadata: { readonly resourceVersion: string } };
    }
  | { readonly type: 'ERROR'; readonly object: Status };

/**
 * Yields the events of one watch request, until the server ends it or the signal aborts. Events that arrive together are
 * one group.
 *
 * @throws {ExpiredError} the resourceVersion is older than the journal: list again
 * @throws {UnavailableError} the connection broke, or it was silent for too long
 */
export async function* streamGroups<Body>(
  transport: Transport,
  request: ApiRequest,
  options: StreamOptions,
): AsyncGenerator<readonly WatchEvent<Body>[]> {
  const { signal, opened } = options;
  const ending = new AbortController();
  const stop = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const title = `${request.method} ${request.path}`;
  let auditId = '';
  try {
    const stream = await transport.open(request, ending);
    auditId = stream.auditId;
    opened?.();
    for await (const texts of linesOf(stream.body, options, ending)) {
      const group: WatchEvent<Body>[] = [];
      let failure: WinnowError | undefined;
      for (const text of texts) {
        const line: Line = JSON.parse(text);
        if (line.type === 'ERROR') {
          failure = errorOfEvent(title, line.object, auditId);
          break;
        }
        group.push(eventOf(line));
      }
      if (group.length > 0) yield group;
      if (failure !== undefined) throw failure;
    }
  } catch (cause) {
    if (signal?.aborted) return;
    if (cause instanceof WinnowError || auditId === '') throw cause;
    const reason = ending.signal.aborted ? ending.signal.reason : cause;
    throw new UnavailableError(`${title}: the watch broke: ${messageOf(reason)}`, { auditId, cause: reason });
  } finally {
    signal?.removeEventListener('abort', stop);
    ending.abort();
  }
}

function eventOf<Body>(line: Exclude<Line, { type: 'ERROR' }>): WatchEvent<Body> {
  if (line.type === 'BOOKMARK') {
    return { type: 'BOOKMARK', resourceVersion: line.object.metadata.resourceVersion };
  }
  const object = rowsOf(line.object)?.[0] ?? line.object;
  return { type: line.type, object: object as Stored<Body> };
}

/** Yields the lines of a body, those that arrive together as one list, and ends the connection if it is silent for too long. */
async function* linesOf(
  body: ReadableStream<Uint8Array>,
  { silence, heard }: StreamOptions,
  ending: AbortController,
): AsyncGenerator<readonly string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  const read = async () => {
    const late = () => ending.abort(new SilenceError(`no byte came for ${silence} ms`));
    const timer = setTimeout(late, silence);
    try {
      return await reader.read();
    } finally {
      clearTimeout(timer);
    }
  };
  for (let next = await read(); !next.done; next = await read()) {
    heard?.();
    const lines = `${rest}${decoder.decode(next.value, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    // An empty line is a sign of life.
    yield lines.filter((line) => line.trim() !== '');
  }
  // The server ends every line, so this one is cut.
  if (rest !== '') throw new Error('the answer ended inside an event');
}
