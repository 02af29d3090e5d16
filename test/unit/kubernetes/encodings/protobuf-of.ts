/** A field of a message on the wire: its number, and its value as a varint, a string or bytes. */
export type WireField = readonly [number: number, value: number | string | Uint8Array];

/** Encodes a message with these fields, in this order. */
export function messageOf(...fields: readonly WireField[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

/** Encodes a body of `application/vnd.kubernetes.protobuf`. */
export function bodyOf(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const typeMeta = messageOf([1, apiVersion], [2, kind]);
  return Buffer.concat([Buffer.from('k8s\0'), messageOf([1, typeMeta], [2, raw], [3, ''], [4, ''])]);
}

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    bytes.push(rest > 0x7fn ? low | 0x80 : low);
    if (rest <= 0x7fn) return Uint8Array.from(bytes);
  }
}
