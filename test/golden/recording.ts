import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonValue } from '../../lib/json/index.ts';

/** One request to a real kube-apiserver and its answer. README.md explains the fields. */
export interface Recorded {
  readonly n: number;
  /** `category | name`; absent if the request only prepares others. */
  readonly case?: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** A value that is sent as JSON, or the text that the recorder sent. */
  readonly body?: JsonValue;
  /** Seconds that the recorder waited before the request. */
  readonly pause?: number;
  /** The recorder repeated the request until the answer had this status. */
  readonly until?: number;
  readonly status: number;
  readonly answerType?: string;
  readonly answerHeaders?: { readonly Warning?: readonly string[] };
  /** Absent if the answer is a document that the recorder did not keep. */
  readonly answer?: JsonValue;
}

/** `questions`: single requests about every part of the API. `kinds`: what each kind makes of objects. */
export type RecordingName = 'questions' | 'kinds';

export const RECORDINGS: readonly RecordingName[] = ['questions', 'kinds'];

const FILES: Readonly<Record<RecordingName, string>> = {
  questions: 'kube-apiserver-1.33.2.jsonl.gz',
  kinds: 'kinds-1.33.2.jsonl.gz',
};

/**
 * Replaces a node port that a server may have given to another Service by chance. Servers allot ports from 30086 on,
 * and reserve the lower ones for clients that request a particular port.
 */
const asksForWhatIsKept = (line: string) => line.replaceAll('"nodePort": 30333', '"nodePort": 30033');

/** Reads a recording, in its order. */
export function readRecording(name: RecordingName): Recorded[] {
  const file = new URL(`recordings/${FILES[name]}`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const all: Recorded[] = lines
    .map((line) => JSON.parse(asksForWhatIsKept(line)))
    .filter((one) => 'method' in one);
  return all.map(withEmptyBody);
}

/** Adds a body that the recorder left out. A request with a content type and without a body had an empty object. */
function withEmptyBody(recorded: Recorded): Recorded {
  const { body, contentType, method } = recorded;
  const said = contentType !== undefined && ['POST', 'PUT', 'PATCH'].includes(method);
  return said && body === undefined ? { ...recorded, body: {} } : recorded;
}

/** The category of a case. */
export function categoryOf({ case: name = '' }: Recorded): string {
  return name.split(' | ', 1).join('');
}
