import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from '../../lib/json/index.ts';
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

/** Records the answers: of a success its metadata, the names in a list and the verdict of a review; of a failure all. */
export function writeNodeAnswers(recording: readonly Recorded[]): void {
  writeFileSync(FILE, gzipSync(`${recording.map((one) => JSON.stringify(one)).join('\n')}\n`, { level: 9 }));
}

/** A recorded request with the answer of this run. */
export function answeredAnew({ recorded, ours }: Replayed): Recorded {
  const answer = parsed(ours.text);
  const kept = ours.status < 300 && isJsonObject(answer) ? keptOf(answer) : answer;
  return { ...recorded, status: ours.status, answer: kept };
}

function keptOf({ metadata = {}, items, status }: JsonObject): JsonObject {
  const { name, namespace, uid } = objectAt(metadata);
  const { allowed } = objectAt(status);
  return {
    metadata: Object.fromEntries(
      Object.entries({ name, namespace, uid }).filter(([, value]) => value !== undefined),
    ) as JsonObject,
    ...(Array.isArray(items) && {
      items: objectsIn(items).map(({ metadata: own = {} }) => keptOf({ metadata: own })),
    }),
    ...(allowed !== undefined && status !== undefined && { status }),
  };
}

/** The facts of a success that both servers must agree on: the names in a list, and the verdict of a review. */
function factsOf(answer: JsonValue | undefined): string {
  const { items, status } = objectAt(answer);
  const { allowed = null, reason = '' } = objectAt(status);
  const names = objectsIn(items).map(({ metadata }) => objectAt(metadata).name);
  return JSON.stringify({ names, allowed, reason });
}

/** Sends recorded requests to an empty Winnow. Returns each difference in status or message. */
export async function nodeDifferences(recording: readonly Recorded[]) {
  const replayed = await replayTo(await createInProcessApi({ hasRoles: true }), recording);
  return replayed.flatMap(({ recorded, ours, differences: { status, message } }) => {
    const facts = factsOf(recorded.answer) === factsOf(parsed(ours.text));
    return status === undefined && message === undefined && facts
      ? []
      : [{ case: recorded.case ?? recorded.path, status, message, theirs: recorded.answer, ours: ours.text }];
  });
}
