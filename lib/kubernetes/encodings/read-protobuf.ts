import type { JsonObject } from '../../json/index.ts';
import type { ExpectedKind } from './kind-error.ts';

/**
 * Decodes a body of `application/vnd.kubernetes.protobuf`: the magic bytes, then a runtime.Unknown with the kind and
 * the bytes of the object. Accepts any kind of Kubernetes and does not check whether it is the expected one. The
 * parser is loaded on first use. https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 *
 * @throws {EncodingError} the body has another form
 * @throws {KindError} the object does not match its kind, or the kind does not exist
 * @throws {TooLargeError} it has more values than an object may have
 */
export async function readProtobuf(body: Uint8Array, expected: ExpectedKind): Promise<JsonObject> {
  const { parseProtobuf } = await import('./parse-protobuf.ts');
  return parseProtobuf(body, expected);
}
