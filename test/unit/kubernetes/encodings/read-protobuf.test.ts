import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue, TooLargeError } from '../../../../lib/json/index.ts';
import { EncodingError, KindError, readProtobuf } from '../../../../lib/kubernetes/encodings/index.ts';
import { bodyOf, messageOf, varint, type WireField } from './protobuf-of.ts';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Bodies that `npm run schema` wrote with Kubernetes' own encoders. */
const recorded = gunzipSync(readFileSync(new URL('bodies.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n')
  .map((line): { json: JsonObject; protobuf: string } => JSON.parse(line));
const byKind = Map.groupBy(recorded, ({ json }) => `${json.apiVersion} ${json.kind}`);

/** The value without null members: null in JSON is an absent field on the wire. The order of members is ignored. */
function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const there = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(there.map(([key, member]) => [key, comparable(member ?? null)]));
}

const read = (body: Uint8Array) => readProtobuf(body, CONFIG_MAP);
const configMap = (...fields: WireField[]) => bodyOf('v1', 'ConfigMap', messageOf(...fields));
const entry = (key: string, value: string) => messageOf([1, key], [2, value]);

/** The error that reading the body throws, or `undefined`. */
async function refusal(body: Uint8Array): Promise<unknown> {
  return read(body).then(
    () => undefined,
    (error) => error,
  );
}

describe('a body in protobuf', () => {
  it('the recording holds more than 60 kinds', () => {
    expect(byKind.size).toBeGreaterThan(60);
  });

  it.each([...byKind.keys()])("a protobuf body of %s reads as Kubernetes' own JSON", async (kind) => {
    for (const { json, protobuf } of byKind.get(kind) ?? []) {
      expect(comparable(await read(Buffer.from(protobuf, 'base64')))).toEqual(comparable(json));
    }
  });

  it('a protobuf body without a kind has the expected kind', async () => {
    const metadata = messageOf([1, 'x']);
    expect(await read(bodyOf('', '', messageOf([1, metadata])))).toEqual({
      ...CONFIG_MAP,
      metadata: { name: 'x' },
    });
  });

  it('a protobuf body may have unknown fields, which are ignored', async () => {
    const group = Buffer.concat([varint((99 << 3) | 3), messageOf([1, 'x']), varint((99 << 3) | 4)]);
    const eight = Buffer.concat([varint((98 << 3) | 1), new Uint8Array(8)]);
    const four = Buffer.concat([varint((97 << 3) | 5), new Uint8Array(4)]);
    const raw = Buffer.concat([group, eight, four, messageOf([96, 5], [95, 'x'], [2, entry('a', 'b')])]);
    expect(await read(bodyOf('v1', 'ConfigMap', raw))).toEqual({ ...CONFIG_MAP, data: { a: 'b' } });
  });

  it('a repeated message field is merged, and the last value of a scalar field counts', async () => {
    const body = configMap([1, messageOf([1, 'x'], [3, 'a'])], [1, messageOf([3, 'b'])]);
    expect(await read(body)).toEqual({ ...CONFIG_MAP, metadata: { name: 'x', namespace: 'b' } });
  });

  it('lists of numbers may be packed or not', async () => {
    const groups = (...fields: WireField[]) =>
      read(bodyOf('v1', 'Pod', messageOf([2, messageOf([14, messageOf(...fields)])])));
    const expected = { spec: { securityContext: { supplementalGroups: [1, 300] } } };
    expect(await groups([4, 1], [4, 300])).toMatchObject(expected);
    expect(await groups([4, Buffer.concat([varint(1), varint(300)])])).toMatchObject(expected);
  });

  it('keys like __proto__ become own properties', async () => {
    const { data } = await read(configMap([2, entry('__proto__', 'x')]));
    expect(Object.entries(data ?? {})).toEqual([['__proto__', 'x']]);
  });
});

describe('a malformed body in protobuf', () => {
  it.each([
    ['', 'empty data'],
    ['hello', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['k8s\0', 'empty body'],
    ['k8s\0\x0a\xff', 'unexpected EOF'],
    [`k8s\0\x0a${'\xff'.repeat(11)}`, 'proto: integer overflow'],
    ['k8s\0\x0f', 'proto: illegal wireType 7'],
    ['k8s\0\x00', 'proto: illegal tag 0 (wire type 0)'],
    ['k8s\0\x0c', 'proto: wiretype end group for non-group'],
    [`k8s\0\x0a${'\xff'.repeat(9)}\x01`, 'proto: negative length found during unmarshaling'],
  ])('the body %j is refused with the reason', async (text, why) => {
    const error = await refusal(Buffer.from(text, 'latin1'));
    expect(error).toBeInstanceOf(EncodingError);
    expect((error as Error).message).toBe(why);
  });

  it.each([
    ['a field of another wire type', configMap([1, 5]), 'proto: wrong wireType = 0 for field metadata'],
    [
      'text that is not UTF-8',
      configMap([2, messageOf([1, Buffer.from([0xff])])]),
      'proto: string is not valid UTF-8',
    ],
    [
      'a kind that there is not',
      bodyOf('v1', 'Foo', messageOf()),
      'no kind "Foo" is registered for version "v1"',
    ],
    [
      'a time that JSON cannot say',
      configMap([1, messageOf([8, messageOf([1, 2 ** 50])])]),
      `a time is out of range: ${2 ** 50} seconds, 0 nanoseconds`,
    ],
  ])('a body with %s is refused with a KindError', async (_, body, why) => {
    const error = await refusal(body);
    expect(error).toBeInstanceOf(KindError);
    expect((error as Error).message).toBe(why);
  });

  it('a body with more values than an object may have is refused before the values are created', async () => {
    const many = Buffer.concat(Array.from({ length: 60_001 }, () => messageOf([14, 'f'])));
    expect(await refusal(configMap([1, many]))).toBeInstanceOf(TooLargeError);
  });

  it('a body that nests deeper than an object may is refused', async () => {
    // A thousand nested schemas, each the `not` of the next.
    let schema: Uint8Array = new Uint8Array();
    for (let depth = 0; depth < 1_000; depth++) schema = messageOf([28, schema]);
    const version = messageOf([1, 'v1'], [4, messageOf([1, schema])]);
    const body = bodyOf(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      messageOf([2, messageOf([7, version])]),
    );
    expect(await refusal(body)).toMatchObject({ message: 'exceeded max depth: 500' });
  });

  it('a body that is cut or has any byte changed is read or refused with an EncodingError', async () => {
    const bodies = recorded.map(({ protobuf }) => Buffer.from(protobuf, 'base64'));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        async (body, at, cut, byte) => {
          const changed = Buffer.from(
            body.subarray(0, body.length - (cut % 3 === 0 ? cut % body.length : 0)),
          );
          changed[at % Math.max(changed.length, 1)] = byte;
          const error = await refusal(changed);
          expect(error === undefined || error instanceof EncodingError).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
