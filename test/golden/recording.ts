import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonValue } from '../../lib/json/index.ts';

/** One request to a real kube-apiserver and what it answered; README.md says what the fields mean. */
export interface Recorded {
  readonly n: number;
  /** `category | name`; absent where the request only prepares. */
  readonly case?: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** A value that is sent as JSON, or the text that was sent. */
  readonly body?: JsonValue;
  /** Seconds that the recorder waited before it asked. */
  readonly pause?: number;
  /** It asked again until the answer had this status. */
  readonly until?: number;
  readonly status: number;
  readonly answerType?: string;
  readonly answerHeaders?: { readonly Warning?: readonly string[] };
  /** Absent where it is a document that was not kept. */
  readonly answer?: JsonValue;
}

/** `questions`: single questions about every part of the API; `kinds`: what the kinds make of objects. */
export type RecordingName = 'questions' | 'kinds';

export const RECORDINGS: readonly RecordingName[] = ['questions', 'kinds'];

const FILES: Readonly<Record<RecordingName, string>> = {
  questions: 'kube-apiserver-1.33.2.jsonl.gz',
  kinds: 'kinds-1.33.2.jsonl.gz',
};

/**
 * What the recorder asked for may have been given to another Service by chance: servers give the ports from 30086 on,
 * and keep those below for who asks.
 */
const asksForWhatIsKept = (line: string) => line.replaceAll('"nodePort": 30333', '"nodePort": 30033');

/** A recording in its order. */
export function readRecording(name: RecordingName): Recorded[] {
  const file = new URL(`recordings/${FILES[name]}`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const all: Recorded[] = lines
    .map((line) => JSON.parse(asksForWhatIsKept(line)))
    .filter((one) => 'method' in one);
  return all.map(withEmptyBody);
}

/** What the recorder left out of a request that says what its body is: an object without anything. */
function withEmptyBody(recorded: Recorded): Recorded {
  const { body, contentType, method } = recorded;
  const said = contentType !== undefined && ['POST', 'PUT', 'PATCH'].includes(method);
  return said && body === undefined ? { ...recorded, body: {} } : recorded;
}

/** The category of a case. */
export function categoryOf({ case: name = '' }: Recorded): string {
  return name.split(' | ', 1).join('');
}
