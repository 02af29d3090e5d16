import { bodyOf, messageOf, varint, type WireField } from '../../unit/kubernetes/encodings/protobuf-of.ts';
import { CONFIG_MAPS, KIB, PODS, type Shape } from '../fuzz-request.ts';

const METADATA: WireField = [1, messageOf([3, ''], [1, 'fuzzed'])];

/** The field as often as it fits into so many bytes. */
function filled(bytes: number, one: (index: number) => Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let length = 0, at = 0; length < bytes; at += 1) {
    const part = one(at);
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts);
}

const nested = (bytes: number, field: number) => {
  // Each level has the length of all below it, so the heads are written from the inside out, and joined once.
  const heads: Uint8Array[] = [];
  for (let length = 0; length < bytes; ) {
    const head = Buffer.concat([varint((field << 3) | 2), varint(length)]);
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat(heads.reverse());
};

const RAW: Readonly<Record<string, readonly [path: string, kind: string, (bytes: number) => Uint8Array]>> = {
  'empty containers': [
    PODS,
    'Pod',
    (bytes) => messageOf(METADATA, [2, filled(bytes, () => messageOf([2, new Uint8Array()]))]),
  ],
  containers: [
    PODS,
    'Pod',
    (bytes) =>
      messageOf(METADATA, [2, filled(bytes, (at) => messageOf([2, messageOf([1, `c${at}`], [2, 'a'])]))]),
  ],
  labels: [
    CONFIG_MAPS,
    'ConfigMap',
    (bytes) => messageOf([1, filled(bytes, (at) => messageOf([11, messageOf([1, `k${at}`], [2, 'a'])]))]),
  ],
  data: [
    CONFIG_MAPS,
    'ConfigMap',
    (bytes) => messageOf(METADATA, [2, filled(bytes, (at) => messageOf([1, `k${at}`], [2, 'a']))]),
  ],
  'entries of data': [
    CONFIG_MAPS,
    'ConfigMap',
    (bytes) =>
      Buffer.concat([
        messageOf(METADATA),
        filled(bytes, (at) => messageOf([2, messageOf([1, `k${at}`], [2, 'a'])])),
      ]),
  ],
  'unknown fields': [
    CONFIG_MAPS,
    'ConfigMap',
    (bytes) => Buffer.concat([messageOf(METADATA), filled(bytes, () => messageOf([99, 1]))]),
  ],
  'metadata again and again': [
    CONFIG_MAPS,
    'ConfigMap',
    (bytes) => filled(bytes, (at) => messageOf([1, messageOf([1, `n${at}`])])),
  ],
  'messages that nest': [PODS, 'Pod', (bytes) => messageOf(METADATA, [2, nested(bytes, 2)])],
  'bytes of 255': [PODS, 'Pod', (bytes) => new Uint8Array(bytes).fill(255)],
  'zero bytes': [PODS, 'Pod', (bytes) => new Uint8Array(bytes)],
};

export const PROTOBUF_SHAPES: readonly Shape[] = Object.entries(RAW).map(([name, [path, kind, raw]]) => ({
  name: `protobuf: ${name}`,
  most: 3072 * KIB - 256,
  make: (bytes) => ({
    method: 'POST',
    path: `${path}?dryRun=All`,
    type: 'application/vnd.kubernetes.protobuf',
    body: bodyOf('v1', kind, raw(Math.max(8, bytes - 200))),
  }),
}));
