import { isJsonObject, type JsonValue } from '../../lib/store/index.ts';
import { compare, type Differences, parsed } from './compare.ts';
import { type Answered, createInProcessApi } from './in-process-api.ts';
import { type Recorded, type RecordingName, readRecording } from './recording.ts';
import { Translation } from './translation.ts';

/** One recorded case, our answer to it, and what is different. */
export interface Replayed {
  readonly recorded: Recorded;
  readonly ours: Answered;
  readonly differences: Differences;
}

/** Sends a recording's requests, in their order, to an empty API in this process. The cases, not what prepares them. */
export async function replay(name: RecordingName): Promise<Replayed[]> {
  const api = await createInProcessApi();
  const tags = new Map<string, string>();
  const translation = new Translation();
  const answers = new Map<number, JsonValue>();
  const replayed: Replayed[] = [];
  for (const recorded of readRecording(name)) {
    const request = requestOf(recorded, translation, answers);
    const place = `${request.path} ${request.headers.accept}`;
    if ('if-none-match' in request.headers) request.headers['if-none-match'] = tags.get(place) ?? '';
    api.begin(timeOf(recorded));
    if (waited(recorded)) await api.settle();
    const ours = await api.answer(request);
    tags.set(place, ours.headers.etag ?? '');
    const body = parsed(ours.text);
    answers.set(recorded.n, body);
    translation.learn(recorded.path, recorded.answer, body);
    if (recorded.case !== undefined) replayed.push({ recorded, ours, differences: compare(recorded, ours) });
  }
  return replayed;
}

/** When the recorded server answered, in ms since the epoch, as far as the answer tells: 0 where it does not. */
function timeOf({ answer = null }: Recorded): number {
  const times = JSON.stringify(answer).matchAll(/"time":"(20[^"]+Z)"/g);
  return Math.max(0, ...[...times].map(([, time = '']) => Date.parse(time)));
}

/** Whether the recorder let the server do what it does by itself before it asked. */
function waited({ pause, until }: Recorded): boolean {
  return pause !== undefined || until !== undefined;
}

function requestOf(recorded: Recorded, translation: Translation, answers: ReadonlyMap<number, JsonValue>) {
  const { method, path, contentType, body } = recorded;
  const [before = '', query = ''] = translation.path(path).split('?', 2);
  const given = Object.entries(recorded.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = {
    'user-agent': 'hk-diff/1',
    host: 'localhost:8080',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...Object.fromEntries(given),
  };
  const request = { method, path: before, query: new URLSearchParams(query), headers };
  // The recorder left out a body that is an empty object.
  const sent = body === undefined && (method === 'PATCH' || method === 'POST') ? {} : body;
  return sent === undefined
    ? request
    : {
        ...request,
        body: bytesOf({ ...recorded, body: sent }, (text) => translation.body(path, filled(text, answers))),
      };
}

function bytesOf({ body, contentType = '' }: Recorded, translated: (text: string) => string): Uint8Array {
  const text = translated(typeof body === 'string' ? body : JSON.stringify(body));
  return Buffer.from(text, contentType.includes('protobuf') ? 'latin1' : 'utf8');
}

/** `${7.metadata.uid}` is that field of our answer to line 7. */
function filled(text: string, answers: ReadonlyMap<number, JsonValue>): string {
  return text.replaceAll(/\$\{(\d+)\.([\w.]+)\}/g, (_all, line, path) => {
    let value: JsonValue | undefined = answers.get(Number(line));
    for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined;
    return String(value ?? '');
  });
}
