import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Entry, Folder } from './read-folder.ts';

export type What = 'definitions' | 'samples';

/** What a server makes of an object. */
export type Verdict = 'accepted' | 'refused' | 'unknown kind' | 'failed';

/** An entry, and Winnow's answer. */
export interface Judged {
  readonly what: What;
  readonly entry: Entry;
  readonly ours: Verdict;
  readonly message: string;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The milliseconds that a request may be repeated while the server is busy, and a definition may need. */
const PATIENCE = 30_000;
const PAUSE = 100;
const BUSY: readonly number[] = [429, 503, 504];

/** Returns the kind of an answer with this status code. */
export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 404) return 'unknown kind';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}

/**
 * Creates the definitions of a folder, and sends its samples as a dry run.
 *
 * @param server the URL of Winnow
 */
export async function* replay({ definitions, samples }: Folder, server: string): AsyncGenerator<Judged> {
  for (const entry of definitions) yield { what: 'definitions', entry, ...(await define(entry, server)) };
  const places = new Map(definitions.map(({ object }) => placeOf(objectAt(object.spec))));
  for (const entry of samples) yield { what: 'samples', entry, ...(await sample(entry, places, server)) };
}

type Told = Pick<Judged, 'ours' | 'message'>;

async function define({ object, isDropped }: Entry, server: string): Promise<Told> {
  const { status, message } = await patiently(
    () => send(server, 'POST', DEFINITIONS, object),
    (answer) => BUSY.includes(answer.status),
  );
  const ours = verdictOf(status);
  if (ours !== 'accepted') {
    return status === 409 ? { ours: 'failed', message: `it exists already: ${message}` } : { ours, message };
  }
  const path = `${DEFINITIONS}/${String(metadataOf(object).name)}`;
  const { body } = await patiently(
    () => send(server, 'GET', path),
    (answer) => !isEstablished(answer),
  );
  const { conditions } = objectAt(body.status);
  const isReady = isEstablished({ body });
  if (isDropped) {
    await send(server, 'DELETE', path);
    await patiently(
      () => send(server, 'GET', path),
      (answer) => answer.status !== 404,
    );
  }
  return isReady
    ? { ours, message }
    : { ours: 'failed', message: `not Established in ${PATIENCE} ms: ${JSON.stringify(conditions)}` };
}

function isEstablished({ body }: Pick<Answer, 'body'>): boolean {
  const { conditions } = objectAt(body.status);
  const all = Array.isArray(conditions) ? conditions.map(objectAt) : [];
  return all.some(({ type, status }) => type === 'Established' && status === 'True');
}

/** The path of a definition's objects in the namespace `default`, by its group and kind. */
function placeOf({
  group,
  names,
  scope,
}: JsonObject): readonly [kind: string, place: (version: string) => string] {
  const { kind, plural } = objectAt(names);
  const namespace = scope === 'Namespaced' ? 'namespaces/default/' : '';
  return [`${group} ${kind}`, (version) => `/apis/${group}/${version}/${namespace}${plural}?dryRun=All`];
}

async function sample(
  { object }: Entry,
  places: ReadonlyMap<string, (version: string) => string>,
  server: string,
): Promise<Told> {
  const [group, version = ''] = String(object.apiVersion).split('/');
  const place = places.get(`${group} ${String(object.kind)}`);
  if (place === undefined) {
    return { ours: 'unknown kind', message: 'no definition of the folder has its kind' };
  }
  const { status, message } = await patiently(
    () => send(server, 'POST', place(version), object),
    (answer) => BUSY.includes(answer.status),
  );
  return { ours: verdictOf(status), message };
}

interface Answer {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly body: JsonObject;
  readonly message: string;
}

/** Sends a request. A path that no server knows is answered without JSON. */
async function send(server: string, method: string, path: string, object?: JsonObject): Promise<Answer> {
  const init = object === undefined ? {} : { body: JSON.stringify(object) };
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const response = await fetch(`${server}${path}`, { method, headers, ...init });
  const text = await response.text();
  try {
    const body = objectAt(JSON.parse(text) as JsonValue);
    return { status: response.status, body, message: String(body.message ?? '') };
  } catch {
    return { status: response.status, body: {}, message: text };
  }
}

/** Asks again while an answer is not the final one. */
async function patiently(ask: () => Promise<Answer>, isEarly: (answer: Answer) => boolean): Promise<Answer> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (!isEarly(answer) || Date.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
