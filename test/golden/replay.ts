import { isJsonObject, type JsonValue } from '../../lib/json/index.ts';
import type { ApiRequest } from '../../lib/server/index.ts';
import { ADMIN } from '../support/service/admin.ts';
import { compare, type Differences, parsed } from './compare.ts';
import { createInProcessApi } from './in-process-api.ts';
import { type Recorded, type RecordingName, readRecording } from './recording.ts';
import { Translation } from './translation.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An API to which requests are replayed. */
export interface ReplayedApi {
  /** Advances the API's clock to at least this time, in ms since the epoch. */
  begin(time: number): void;
  /** @param target the path and query as they are written, including malformed parts */
  answer(request: ApiRequest, target?: string): Promise<Answered>;
  /**
   * Completes the work that kube-apiserver does by itself. `pause` is the time in seconds that the recorder left for
   * it.
   */
  settle(pause?: number): Promise<void>;
  /** Repeats a request until the answer has this status. Absent if the API settles at once. */
  answerUntil?(request: ApiRequest, target: string, status: number): Promise<Answered>;
}

/** One recorded request, how it was sent, Winnow's answer to it, and the differences. */
export interface Replayed {
  readonly recorded: Recorded;
  readonly sent: ApiRequest;
  /** The path and query as they are written. */
  readonly target: string;
  readonly ours: Answered;
  readonly differences: Differences;
}

/**
 * Sends a recording's requests, in their order, to an empty API in this process. Returns the cases, without the
 * requests that prepare them.
 */
export async function replay(name: RecordingName): Promise<Replayed[]> {
  const replayed = await replayTo(await createInProcessApi(), readRecording(name));
  return replayed.filter(({ recorded }) => recorded.case !== undefined);
}

/** Sends recorded requests, in their order, to an empty API. */
export async function replayTo(api: ReplayedApi, recording: readonly Recorded[]): Promise<Replayed[]> {
  const tags = new Map<string, string>();
  const translation = new Translation();
  const answers = new Map<number, JsonValue>();
  const replayed: Replayed[] = [];
  for (const recorded of recording) {
    const target = translation.path(recorded.path);
    const sent = requestOf(recorded, target, (text) =>
      filled(translation.body(recorded.path, text), answers),
    );
    const place = `${sent.path} ${sent.headers.accept}`;
    if ('if-none-match' in sent.headers) sent.headers['if-none-match'] = tags.get(place) ?? '';
    api.begin(timeOf(recorded));
    if (waited(recorded)) await api.settle(recorded.pause);
    const { until } = recorded;
    const again = until === undefined ? undefined : api.answerUntil?.(sent, target, until);
    const ours = await (again ?? api.answer(sent, target));
    tags.set(place, ours.headers.etag ?? '');
    const body = parsed(ours.text);
    answers.set(recorded.n, body);
    translation.learn(recorded.path, recorded.answer, body);
    replayed.push({ recorded, sent, target, ours, differences: compare(recorded, ours) });
  }
  return replayed;
}

/** The time at which the recorded server answered, in ms since the epoch, by the times in its answer; 0 without any. */
function timeOf({ answer = null }: Recorded): number {
  const times = JSON.stringify(answer).matchAll(/"time":"(20[^"]+Z)"/g);
  return Math.max(0, ...[...times].map(([, time = '']) => Date.parse(time)));
}

/** Whether the recorder gave the server time for its own work before the request. */
function waited({ pause, until }: Recorded): boolean {
  return pause !== undefined || until !== undefined;
}

function requestOf(recorded: Recorded, target: string, translated: (text: string) => string) {
  const { method, contentType, body } = recorded;
  const [path = '', query = ''] = target.split('?', 2);
  const given = Object.entries(recorded.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = {
    'user-agent': 'hk-diff/1',
    host: 'localhost:8080',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...Object.fromEntries(given),
  };
  const request = { method, path, query: new URLSearchParams(query), headers, user: ADMIN };
  // The recorder left out a body that is an empty object.
  const sent = body === undefined && (method === 'PATCH' || method === 'POST') ? {} : body;
  return sent === undefined
    ? request
    : { ...request, body: bytesOf({ ...recorded, body: sent }, translated) };
}

function bytesOf({ body, contentType = '' }: Recorded, translated: (text: string) => string): Uint8Array {
  const text = translated(typeof body === 'string' ? body : JSON.stringify(body));
  return Buffer.from(text, contentType.includes('protobuf') ? 'latin1' : 'utf8');
}

/** Replaces `${7.metadata.uid}` with that field of Winnow's answer to line 7. */
function filled(text: string, answers: ReadonlyMap<number, JsonValue>): string {
  return text.replaceAll(/\$\{(\d+)\.([\w.]+)\}/g, (_all, line, path) => {
    let value: JsonValue | undefined = answers.get(Number(line));
    for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
    return String(value ?? '');
  });
}
