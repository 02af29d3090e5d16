import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, metadataOf } from '../../lib/json/index.ts';
import type { Reply } from '../connection/index.ts';
import { collectionPath, DEFINITION, type DefinitionSpec, type Kind, kindsOf } from './kinds.ts';
import type { ObjectLine } from './object-line.ts';
import { GIVEN, without } from './plain-object.ts';
import type { Target } from './write-target.ts';

const TAKEN = 409;
/** The most reads of discovery until it contains a newly defined kind, and the ms between two reads. */
const LOOKS = 120;
const PAUSE = 500;

export interface ImportingObject {
  readonly target: Target;
  readonly kind: Kind;
  /** Its owner references, with the uids that the owners have at the target. */
  readonly owners: readonly JsonObject[];
  readonly replace: boolean;
  readonly status: boolean;
}

/** The result of one import: the object's uid at the target, or why the target refused it. */
export type Imported =
  | { readonly how: 'created' | 'replaced' | 'unchanged'; readonly uid: string }
  | { readonly how: 'refused'; readonly why: string };

export async function importObject(line: ObjectLine, importing: ImportingObject): Promise<Imported> {
  const { target, kind } = importing;
  const body = bodyOf(line, importing);
  const path = collectionPath(kind, line.namespace);
  const itself = `${path}/${encodeURIComponent(line.name)}`;
  const uid = target.keepsUids && line.uid !== '' ? { uid: line.uid } : {};
  const created = await target.send('POST', path, { body, ...uid });
  if (created.status >= 400 && created.status !== TAKEN) return refused(created);
  let how: 'created' | 'replaced' | 'unchanged' = 'created';
  let reply = created;
  if (created.status === TAKEN) {
    reply = await target.send('GET', itself);
    how = 'unchanged';
    // A conflict, but the object does not exist: another object holds its name or a value that it reserves.
    if (reply.status >= 400) return refused(created);
    if (importing.replace) {
      reply = await target.send('PUT', itself, { body: inPlaceOf(reply, body) });
      how = 'replaced';
    }
  }
  if (reply.status >= 400) return refused(reply);
  if (line.kind === DEFINITION) await awaitKinds(line, target);
  const { status } = line.object;
  if (importing.status && how !== 'unchanged' && kind.hasStatus && status !== undefined) {
    const merged = { body: { status }, contentType: 'application/merge-patch+json' };
    const written = await target.send('PATCH', `${itself}/status`, merged);
    if (written.status >= 400) return refused(written);
  }
  return { how, uid: String(metadataOf(reply.body ?? {}).uid ?? '') };
}

function bodyOf({ object }: ObjectLine, { owners }: ImportingObject): JsonObject {
  const metadata = without(metadataOf(object), GIVEN);
  const owned = owners.length > 0 && { ownerReferences: [...owners] };
  return { ...object, metadata: { ...metadata, ...owned } };
}

function inPlaceOf({ body = {} }: Partial<Reply>, desired: JsonObject): JsonObject {
  const { uid, resourceVersion } = metadataOf(body as JsonObject);
  const known = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...desired, metadata: { ...metadataOf(desired), ...known } };
}

/** The message of a Status names the field. */
function refused({ status, body, text }: Reply): Imported {
  return { how: 'refused', why: `${status} ${body?.message ?? text.slice(0, 200)}` };
}

/**
 * Waits until the target serves the kinds of a definition: a cluster serves the kinds some time after it
 * stored the definition.
 */
async function awaitKinds({ object }: ObjectLine, target: Target): Promise<void> {
  const { group, versions, names } = object.spec as unknown as DefinitionSpec;
  for (const { name, served } of versions as readonly { name: string; served?: boolean }[]) {
    for (let look = 0; served !== false && look < LOOKS; look += 1) {
      const found = await kindsOf(askOf(target), `${group}/${name}`).catch(() => []);
      if (found.some(({ resource }) => resource === names.plural)) break;
      await sleep(PAUSE);
    }
  }
}

/** A function that reads JSON from a target. */
export function askOf(target: Target) {
  return async (method: 'GET', path: string) => {
    const { status, body, text } = await target.send(method, path);
    if (body !== undefined && status < 400) return body;
    throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
  };
}
