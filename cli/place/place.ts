import type { JsonObject } from '../../lib/json/index.ts';
import { Connection, explainStatus, Fault, openAccess, type Reply } from '../connection/index.ts';
import { readDocuments } from '../read-documents.ts';
import { screen } from '../screen.ts';
import { nodeLines, notReadyHelp, type PlacementStatus, summaryOf } from './node-lines.ts';
import type { PlaceOptions } from './options.ts';

const REVIEWS = '/apis/winnow.dev/v1/placementreviews';

/** Requests a PlacementReview of an object, and prints the answer. */
export async function place(options: PlaceOptions): Promise<void> {
  const { file, count = 1, namespace, output } = options;
  const object = inNamespace(await readObject(file), namespace);
  const connection = new Connection(openAccess(options), new AbortController().signal);
  const body = { apiVersion: 'winnow.dev/v1', kind: 'PlacementReview', spec: { object, count } };
  const reply = await connection.send('POST', REVIEWS, { body });
  if (reply.status !== 201 || reply.body === undefined) throw refusalOf(reply, file);
  const status = reply.body.status as unknown as PlacementStatus;
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify(reply.body, null, 2)}\n`);
  } else {
    for (const line of nodeLines(status)) process.stdout.write(`${line}\n`);
    screen.error(summaryOf(status, count));
    for (const line of notReadyHelp(status)) screen.note(line);
  }
  if (status.assigned.length < count) process.exitCode = 1;
}

function inNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  if (namespace === undefined) return object;
  const metadata = object.metadata as JsonObject | undefined;
  return { ...object, metadata: { namespace, ...metadata } };
}

/** The error for a refused review. The endpoint's own message describes an invalid object. */
function refusalOf(reply: Reply, file: string): Fault {
  const { message = '', details } = (reply.body ?? {}) as { message?: string; details?: JsonObject };
  const isOfObject = [400, 422].includes(reply.status) || (reply.status === 403 && details?.kind === 'pods');
  if (!isOfObject) return explainStatus(reply, `POST ${REVIEWS}`);
  const what = message
    .replaceAll('spec.object.', '')
    .replace('PlacementReview.winnow.dev "" is invalid: ', '');
  return new Fault({ what: `${file}: ${what}`, advice: 'Correct the object; nothing was stored' });
}

/**
 * Reads the one object of a YAML or JSON file; `-` is standard input.
 *
 * @throws {Fault} the file holds no object or several, or cannot be read
 */
async function readObject(file: string): Promise<JsonObject> {
  const values = await readDocuments(file);
  const [object] = values;
  if (values.length !== 1 || !isObject(object)) {
    const what = `${file} holds ${values.length === 1 ? 'a value that is not an object' : `${values.length} documents`}`;
    throw new Fault({ what, advice: 'The file must hold one object: a Pod, or one with a pod template' });
  }
  return object;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
