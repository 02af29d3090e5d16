import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonObject } from '../../lib/json/index.ts';
import { parsed } from './compare.ts';
import { createInProcessApi } from './in-process-api.ts';
import type { Recorded } from './recording.ts';
import { type Replayed, replayTo } from './replay.ts';

/** The requests of nodes (test/conformance/kube-apiserver/node-requests.ts) with kube-apiserver's answers. */
const FILE = new URL('recordings/nodes-1.33.2.jsonl.gz', import.meta.url);

export function readNodeAnswers(): Recorded[] {
  const lines = gunzipSync(readFileSync(FILE)).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Records the answers: of a success the names and uids that later requests use, of a failure the whole. */
export function writeNodeAnswers(recording: readonly Recorded[]): void {
  writeFileSync(FILE, gzipSync(`${recording.map((one) => JSON.stringify(one)).join('\n')}\n`, { level: 9 }));
}

/** A recorded request with the answer of this run. */
export function answeredAnew({ recorded, ours }: Replayed): Recorded {
  const answer = parsed(ours.text);
  const kept =
    isJsonObject(answer) && ours.status < 300 && isJsonObject(answer.metadata ?? null)
      ? { metadata: answer.metadata ?? null }
      : answer;
  return { ...recorded, status: ours.status, answer: kept };
}

/** Sends recorded requests to an empty Winnow. Returns each difference in status or message. */
export async function nodeDifferences(recording: readonly Recorded[]) {
  const replayed = await replayTo(await createInProcessApi({ hasRoles: true }), recording);
  return replayed.flatMap(({ recorded, ours, differences: { status, message } }) =>
    status === undefined && message === undefined
      ? []
      : [{ case: recorded.case ?? recorded.path, status, message, theirs: recorded.answer, ours: ours.text }],
  );
}
