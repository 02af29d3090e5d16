import type { JsonObject } from '../../json/index.ts';
import type { ExpectedKind } from './kind-error.ts';

/**
 * The object in a body of `application/vnd.kubernetes.protobuf`: the magic, and a runtime.Unknown that says of what
 * kind the object is and has it as bytes. Of any kind of Kubernetes; whether it is the expected one is not looked at.
 * The parser is loaded when first needed.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 *
 * @throws {EncodingError} it is no such body
 * @throws {KindError} the object in it is none of its kind, or there is no such kind
 * @throws {TooLargeError} it has more values than an object may have
 */
export async function readProtobuf(body: Uint8Array, expected: ExpectedKind): Promise<JsonObject> {
  const { parseProtobuf } = await import('./parse-protobuf.ts');
  return parseProtobuf(body, expected);
}
