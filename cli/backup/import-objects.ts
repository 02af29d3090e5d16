import { stat } from 'node:fs/promises';
import type { JsonObject } from '../../lib/json/index.ts';
import { mapBounded } from '../../lib/platform/index.ts';
import { Fault } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { withProgress } from '../with-progress.ts';
import { type CheckedFile, checkFile, objectLines } from './check-file.ts';
import { withFileLock } from './file-lock.ts';
import { askOf, type Imported, importObject } from './import-object.ts';
import type { ImportOptions } from './import-options.ts';
import { ImportRecord } from './import-record.ts';
import { DEFINITION, type Kind, listKinds } from './kinds.ts';
import type { ObjectLine } from './object-line.ts';
import { openTarget } from './target.ts';
import type { Target } from './write-target.ts';

/** How many objects are imported at once. */
const AT_ONCE = 8;

/**
 * Creates the objects of an export.
 *
 * @throws {Fault} the file is invalid, and nothing was written; or the target refused some objects.
 */
export async function importObjects(path: string, options: ImportOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () =>
    interrupted.abort(new Error('interrupted: run the same command again to continue')),
  );
  const target = await openTarget(options, interrupted.signal);
  await withFileLock(path, () => importFile(path, target, options));
}

async function importFile(path: string, target: Target, options: ImportOptions): Promise<void> {
  const kinds = await listKinds(askOf(target));
  const { objects, uids, bytes } = await check(path, kinds, options);
  const record = await ImportRecord.open(`${path}.imported`, { to: target.name, bytes });
  if (record.size > 0) screen.say(`Continuing: ${record.size} of ${objects} objects were imported before.`);
  const importing = new Importing({ path, target, uids, record, options });
  try {
    await withProgress(
      () => `${record.size} of ${objects} objects imported so far`,
      () => importing.run(kinds),
    );
  } finally {
    await record.close();
  }
  screen.say(importing.inWords());
  if (importing.refused === 0) return record.remove();
  const advice = 'Fix the reported errors, and run the same command again.';
  throw new Fault({ what: `${importing.refused} objects were refused`, advice });
}

async function check(
  path: string,
  kinds: readonly Kind[],
  { incomplete }: ImportOptions,
): Promise<CheckedFile> {
  let checked = 0;
  const onChecked = (objects: number) => {
    checked = objects;
  };
  const file = await withProgress(
    () => `${checked} objects checked so far`,
    () => checkFile(path, { kinds, incomplete, onChecked }),
  );
  const { size } = await stat(path);
  if (size > file.bytes) {
    screen.note(`The last line of ${path} is left out, because it does not end with a line feed.`);
  }
  return file;
}

interface Given {
  readonly path: string;
  readonly target: Target;
  /** The uids of all objects in the file. */
  readonly uids: ReadonlySet<string>;
  readonly record: ImportRecord;
  readonly options: ImportOptions;
}

class Importing {
  refused = 0;
  readonly #given: Given;
  readonly #counts: Record<string, number> = {};
  #kinds = new Map<string, Kind>();

  constructor(given: Given) {
    this.#given = given;
  }

  /**
   * Reads the file once for each generation of owners. After the last reading, an object still waits only if
   * one of its owners was refused.
   */
  async run(kinds: readonly Kind[]): Promise<void> {
    this.#learn(kinds);
    const refused = new Set<number>();
    for (let waiting = Number.POSITIVE_INFINITY, isLast = false; ; ) {
      const left = await this.#pass(refused, isLast);
      if (isLast || left === 0) return;
      isLast = left === waiting;
      waiting = left;
    }
  }

  inWords(): string {
    const counts = Object.entries(this.#counts).map(([how, count]) => `${count} ${how}`);
    return `Done: ${counts.join(', ') || 'there was nothing left to import'}.`;
  }

  /** Reads the file once. Returns how many objects wait for their owners. */
  async #pass(refused: Set<number>, isLast: boolean): Promise<number> {
    const { path, record } = this.#given;
    let left = 0;
    let batch: ObjectLine[] = [];
    const flush = async () => {
      await mapBounded(batch, AT_ONCE, (line) => this.#import(line, refused));
      batch = [];
    };
    for await (const line of objectLines(path)) {
      if (record.has(line.number) || refused.has(line.number)) continue;
      if (line.isLeaving) {
        this.#count('left out because they were being deleted');
        refused.add(line.number);
        continue;
      }
      if (this.#isWaiting(line)) {
        left += 1;
        if (isLast) this.#refuse(line, 'one of its owners was not imported', refused);
        continue;
      }
      // The next line may need this definition or namespace.
      const isBase = line.kind === DEFINITION || line.kind === 'Namespace';
      if (isBase) await flush();
      batch.push(line);
      if (isBase || batch.length === AT_ONCE * 4) await flush();
    }
    await flush();
    return left;
  }

  /** Whether an owner is not imported yet. The collector deletes an object whose owners do not exist. */
  #isWaiting({ owners }: ObjectLine): boolean {
    const { uids, record } = this.#given;
    return owners.some(({ uid }) => uids.has(uid) && record.uidOf(uid) === undefined);
  }

  async #import(line: ObjectLine, refused: Set<number>): Promise<void> {
    const { target, record, options } = this.#given;
    const kind = await this.#kindOf(line);
    if (kind === undefined) return this.#refuse(line, 'the target does not have its kind', refused);
    const owners = line.owners.map(
      (owner): JsonObject => ({ ...owner, uid: record.uidOf(owner.uid) ?? owner.uid }),
    );
    const { replace, status } = options;
    const imported: Imported = await importObject(line, { target, kind, owners, replace, status });
    if (imported.how === 'refused') return this.#refuse(line, imported.why, refused);
    await record.add(line.number, line.uid || '-', imported.uid);
    this.#count(imported.how);
  }

  #refuse({ number, kind, namespace, name }: ObjectLine, why: string, refused: Set<number>): void {
    refused.add(number);
    this.refused += 1;
    this.#count('refused');
    screen.error(`line ${number}: ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}: ${why}`);
  }

  #count(how: string): void {
    this.#counts[how] = (this.#counts[how] ?? 0) + 1;
  }

  /** Reads discovery again for an unknown kind: an earlier line may have defined it. */
  async #kindOf({ apiVersion, kind }: ObjectLine): Promise<Kind | undefined> {
    const key = `${apiVersion} ${kind}`;
    if (!this.#kinds.has(key)) this.#learn(await listKinds(askOf(this.#given.target)));
    return this.#kinds.get(key);
  }

  #learn(kinds: readonly Kind[]): void {
    this.#kinds = new Map(kinds.map((one) => [`${one.apiVersion} ${one.kind}`, one]));
  }
}
