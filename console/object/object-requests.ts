import { OutcomeUnknownError } from '../../lib/client/objects/index.ts';
import { ask, type KindInfo, MANAGER, objectPath, pathOf } from '../api/index.ts';
import type { KubeObject } from '../what-if/index.ts';

/** The name of an object of a kind. */
export interface Place {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
}

/** The answer to a write, or to a dry run of it. */
export interface Written {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/**
 * How a draft is written. `apply`: server-side apply, which leaves fields of other managers. `force`: it takes over the
 * fields that it sets. `replace`: the draft becomes the object.
 */
export type SaveMode = 'apply' | 'force' | 'replace';

interface Save {
  readonly draft: KubeObject;
  /** The object that the review compares the draft with. */
  readonly begun: KubeObject;
  readonly mode: SaveMode;
  readonly dryRun: boolean;
}

export function readObject({ kind, ...name }: Place, signal?: AbortSignal): Promise<KubeObject> {
  return ask<KubeObject>(objectPath(kind, name), { signal });
}

/** Writes a draft. A dry run changes nothing, and its answer is the object as it would be. */
export function saveDraft({ kind, ...name }: Place, { draft, begun, mode, dryRun }: Save): Promise<Written> {
  const path = objectPath(kind, name);
  // The write is only for the reviewed state. It does not create a deleted object again, and gets 409 after a later change.
  const { uid, resourceVersion } = begun.metadata;
  const metadata = { ...draft.metadata, uid, resourceVersion };
  if (mode !== 'replace') {
    const contentType = 'application/apply-patch+yaml';
    return write(path, {
      method: 'PATCH',
      contentType,
      body: { ...draft, metadata },
      isForced: mode === 'force',
      dryRun,
    });
  }
  return write(path, { method: 'PUT', body: { ...draft, metadata, ...statusOf(begun) }, dryRun });
}

/** Replaces an object in the version that is in its metadata. */
export function replaceObject(
  { kind, ...name }: Place,
  object: KubeObject,
  dryRun: boolean,
): Promise<Written> {
  return write(objectPath(kind, name), { method: 'PUT', body: object, dryRun });
}

export function createObject({ kind, namespace }: Place, object: unknown, dryRun: boolean): Promise<Written> {
  return write(pathOf(kind, namespace), { method: 'POST', body: object, dryRun });
}

/** What happens to the objects that a deleted object owns. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** Deletes an object, but no successor of the same name. */
export async function deleteObject(
  { kind, ...name }: Place,
  uid: string,
  propagation: Propagation,
): Promise<void> {
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid },
    propagationPolicy: propagation,
  };
  await ask(objectPath(kind, name), { method: 'DELETE', body: options });
}

/** A sentence about a failed write: what the user does next, where the server's words do not say it. */
export function adviceOf(error: Error): string {
  if (error instanceof OutcomeUnknownError) {
    return 'The answer was lost, so the write may have been applied. Compare the object with what you wanted.';
  }
  return '';
}

interface Sent {
  readonly method: 'PUT' | 'PATCH' | 'POST';
  readonly body: unknown;
  readonly contentType?: string;
  readonly isForced?: boolean;
  readonly dryRun: boolean;
}

async function write(path: string, { isForced = false, dryRun, ...request }: Sent): Promise<Written> {
  let warnings: readonly string[] = [];
  const object = await ask<KubeObject>(path, {
    ...request,
    // A lost answer of a dry run leaves nothing unknown.
    isRead: dryRun,
    query: { fieldManager: MANAGER, ...(isForced && { force: 'true' }), ...(dryRun && { dryRun: 'All' }) },
    warned: (texts) => {
      warnings = texts;
    },
  });
  return { object, warnings };
}

/** Kinds without a subresource for the status lose it in a write without it. */
function statusOf({ status }: KubeObject): Record<string, unknown> {
  return status === undefined ? {} : { status };
}
