import { stat } from 'node:fs/promises';
import type { JsonObject } from '../../lib/json/index.ts';
import { Connection, explainStatus, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { ExportFile } from './export-file.ts';
import type { ExportOptions } from './export-options.ts';
import { withFileLock } from './file-lock.ts';
import { collectionPath, type Kind, listKinds } from './kinds.ts';
import { plainObject } from './plain-object.ts';

/** Objects per page, and pages between two progress messages of a large collection. */
const PAGE = 500;
const PAGES_A_WORD = 20;
const GONE = 410;

/**
 * Writes all objects of an endpoint to a file, each collection at one resourceVersion.
 *
 * @throws {Fault} the endpoint does not answer, or the file belongs to another export.
 */
export async function exportObjects(path: string, options: ExportOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () =>
    interrupted.abort(new Error('interrupted: run the same command again to continue')),
  );
  const access = openAccess(options);
  const connection = new Connection(access, interrupted.signal);
  const kinds = await listKinds((method, asked) => connection.ask(method, asked));
  const first = kinds.filter(({ isAgain }) => isAgain !== true);
  const head = { form: options.plain ? 'plain' : 'whole', from: access.url } as const;
  await withFileLock(path, async () => {
    const file = await ExportFile.open(path, head);
    try {
      if (file.isComplete) return await sayWasThere(path, file);
      if (file.objects > 0) screen.say(`Continuing: ${path} holds ${file.objects} objects.`);
      for (const kind of first) await exportKind(kind, { connection, file, plain: options.plain });
      await file.end();
      screen.say(`Done: ${path} holds all ${file.objects} objects.`);
    } finally {
      await file.close();
    }
  });
}

/**
 * Warns that nothing was written. Without the warning, a nightly backup to one file name would silently keep
 * the objects of the first night.
 */
async function sayWasThere(path: string, { objects }: ExportFile): Promise<void> {
  const { mtime } = await stat(path);
  screen.say(`Nothing was written: ${path} was completed on ${mtime.toISOString()} with ${objects} objects.`);
  screen.say('To export the current objects, use another file name, or remove this file.');
}

interface Exporting {
  readonly connection: Connection;
  readonly file: ExportFile;
  readonly plain: boolean;
}

async function exportKind(kind: Kind, exporting: Exporting): Promise<void> {
  const { file } = exporting;
  const path = collectionPath(kind);
  let progress = file.of(path);
  if (progress?.continue === '') return;
  for (let pages = 1; progress?.continue !== ''; pages += 1) {
    progress = await exportPage(kind, exporting);
    if (progress !== undefined && progress.continue !== '' && pages % PAGES_A_WORD === 0) {
      screen.say(`${path}: ${progress.objects} objects so far`);
    }
  }
  const { objects, resourceVersion } = progress;
  if (objects > 0) screen.say(`${path}: ${objects} objects at resourceVersion ${resourceVersion}`);
}

/**
 * Adds the next page. If the resourceVersion of the collection has expired, it returns undefined, and the
 * export of the collection starts again.
 */
async function exportPage(kind: Kind, { connection, file, plain }: Exporting) {
  const path = collectionPath(kind);
  const before = file.of(path);
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (before !== undefined) query.set('continue', before.continue);
  const reply = await connection.send('GET', `${path}?${query}`);
  if (reply.status === GONE && before !== undefined) {
    screen.say(`${path}: resourceVersion ${before.resourceVersion} has expired; the collection starts again`);
    await file.rewind(path);
    return undefined;
  }
  if (reply.status >= 400 || reply.body === undefined) throw explainStatus(reply, `GET ${path}`);
  const { items = [], metadata } = reply.body as { items?: readonly JsonObject[]; metadata?: JsonObject };
  const progress = {
    what: 'page',
    path,
    resourceVersion: String(metadata?.resourceVersion ?? ''),
    continue: String(metadata?.continue ?? ''),
    objects: (before?.objects ?? 0) + items.length,
  } as const;
  const named = items.map((item) => ({ apiVersion: kind.apiVersion, kind: kind.kind, ...item }));
  await file.add(plain ? named.map(plainObject) : named, progress);
  return progress;
}
