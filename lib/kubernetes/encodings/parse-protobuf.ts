import type { JsonObject } from '../../json/index.ts';
import { loadFields, type Message } from '../fields/index.ts';
import { EncodingError } from './encoding-error.ts';
import { type ExpectedKind, KindError } from './kind-error.ts';
import { readMessage } from './read-message.ts';
import { WIRE, WireReader } from './wire-reader.ts';

/** The bytes `k8s\0`, which precede every object in Kubernetes' protobuf encoding. */
const MAGIC: Uint8Array = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);

/** Implements `readProtobuf`: same result, same errors. */
export async function parseProtobuf(body: Uint8Array, expected: ExpectedKind): Promise<JsonObject> {
  const { apiVersion, kind, raw } = openEnvelope(body);
  const named = { apiVersion: apiVersion || expected.apiVersion, kind: kind || expected.kind };
  const message = await messageOf(named);
  try {
    return { kind: named.kind, apiVersion: named.apiVersion, ...readMessage(message, raw) };
  } catch (error) {
    throw error instanceof EncodingError ? new KindError(named, error.message) : error;
  }
}

/** Returns the message of a kind. The options of requests are the same in every group. */
async function messageOf(named: ExpectedKind): Promise<Message> {
  const { apiVersion, kind } = named;
  const table = await loadFields();
  const message = table.kind(/^(Create|Delete|Patch|Update)Options$/.test(kind) ? 'v1' : apiVersion, kind);
  if (message !== undefined) return message;
  throw new KindError(named, `no kind "${kind}" is registered for version "${apiVersion}"`);
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Reads the runtime.Unknown after the magic bytes: field 1 is the TypeMeta, field 2 the object. */
function openEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new EncodingError('empty data');
  if (!MAGIC.every((byte, index) => body[index] === byte)) {
    const prefix = `[${MAGIC.join(' ')}]`;
    throw new EncodingError(
      `provided data does not appear to be a protobuf message, expected prefix ${prefix}`,
    );
  }
  if (body.length === MAGIC.length) throw new EncodingError('empty body');
  const wire = new WireReader(body.subarray(MAGIC.length));
  let typeMeta = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  while (!wire.done) {
    const { number, wireType } = wire.tag();
    if (wireType !== WIRE.bytes || number > 2) {
      wire.skip(wireType);
    } else if (number === 1) {
      typeMeta = readTypeMeta(wire.bytes());
    } else {
      raw = wire.bytes();
    }
  }
  return { ...typeMeta, raw };
}

function readTypeMeta(bytes: Uint8Array): { apiVersion: string; kind: string } {
  const wire = new WireReader(bytes);
  const typeMeta = { apiVersion: '', kind: '' };
  while (!wire.done) {
    const { number, wireType } = wire.tag();
    if (wireType !== WIRE.bytes || number > 2) {
      wire.skip(wireType);
    } else {
      typeMeta[number === 1 ? 'apiVersion' : 'kind'] = wire.string();
    }
  }
  return typeMeta;
}
