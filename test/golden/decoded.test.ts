import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/index.ts';
import { complete } from '../../lib/kubernetes/defaults/index.ts';
import { decodeMessage, loadFields } from '../../lib/kubernetes/fields/index.ts';
import { RECORDINGS, readRecording } from './recording.ts';
import { differenceOf } from './same-shape.ts';

const ENVELOPE = ['apiVersion', 'kind'];

/** The objects in an answer: the answer itself, or the items of a list. */
function objectsIn(answer: JsonValue | undefined): JsonObject[] {
  if (!isJsonObject(answer) || typeof answer.kind !== 'string') return [];
  const { items, apiVersion = null, kind } = answer;
  if (!Array.isArray(items)) return [answer];
  return items.filter(isJsonObject).map((item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item }));
}

describe('The decoder, given the objects that kube-apiserver returned', () => {
  it.each(RECORDINGS)('Decoding changes no object of the recording %s', async (name) => {
    const fields = await loadFields();
    const changed: string[] = [];
    let seen = 0;
    for (const { n, answer } of readRecording(name)) {
      for (const object of objectsIn(answer)) {
        const message = fields.kind(String(object.apiVersion), String(object.kind));
        if (message === undefined || !isJsonObject(object.metadata)) continue;
        seen += 1;
        const { value, unknown } = decodeMessage(message, object, { fixed: ENVELOPE, complete });
        const difference = differenceOf(object, value);
        if (difference !== undefined) changed.push(`${n} ${difference}`);
        changed.push(...unknown.map((path) => `${n} does not know ${path}`));
      }
    }
    expect(changed).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });
});
