import { stat } from 'node:fs/promises';
import type { JsonObject } from '../../lib/json/index.ts';
import { Connection, explainStatus, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import type { ExportOptions } from './export-command.ts';
import { ExportFile } from './export-file.ts';
import { withFileLock } from './file-lock.ts';
import { collectionPath, type Kind, listKinds } from './kinds.ts';
import { plainObject } from './plain-object.ts';

/** Objects of one page, and pages between two words of a large collection. */
const PAGE = 500;
const PAGES_A_WORD = 20;
const GONE = 410;

/**
 * Writes all objects of an endpoint into a file, each collection as it was at one resourceVersion.
 *
 * @throws {Fault} the endpoint does not answer, or the file is another one.
 */
export async function exportObjects(path: string, options: ExportOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () =>
    interrupted.abort(new Error('interrupted: the same command goes on from here')),
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
      if (file.objects > 0) screen.say(`Going on: ${file.objects} objects are in ${path}.`);
      for (const kind of first) await exportKind(kind, { connection, file, plain: options.plain });
      await file.end();
      screen.say(`All ${file.objects} objects are in ${path}.`);
    } finally {
      await file.close();
    }
  });
}

/** Or a backup that is made each night under one name would be that of the first night, and nobody the wiser. */
async function sayWasThere(path: string, { objects }: ExportFile): Promise<void> {
  const { mtime } = await stat(path);
  screen.say(`Nothing was written: ${path} was complete on ${mtime.toISOString()}, with ${objects} objects.`);
  screen.say('To export what there is now, name another file, or remove this one.');
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

/** Adds the next page. Undefined: the collection's state at its resourceVersion is gone, and it begins anew. */
async function exportPage(kind: Kind, { connection, file, plain }: Exporting) {
  const path = collectionPath(kind);
  const before = file.of(path);
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (before !== undefined) query.set('continue', before.continue);
  const reply = await connection.send('GET', `${path}?${query}`);
  if (reply.status === GONE && before !== undefined) {
    screen.say(`${path}: what it was at resourceVersion ${before.resourceVersion} is gone; it begins anew`);
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
