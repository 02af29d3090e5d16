import { type FileHandle, open, rm } from 'node:fs/promises';
import { Fault } from '../connection/index.ts';
import { fileLines } from './file-lines.ts';

interface RecordHead {
  /** The name of the target, for messages. */
  readonly to: string;
  /** The size of the imported file. */
  readonly bytes: number;
}

/** The record of imported objects, in a file next to the export. With it an interrupted import continues. */
export class ImportRecord {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #lines: Set<number>;
  readonly #uids: Map<string, string>;

  private constructor(path: string, handle: FileHandle, done: Pick<Done, 'lines' | 'uids'>) {
    this.#path = path;
    this.#handle = handle;
    this.#lines = done.lines;
    this.#uids = done.uids;
  }

  /** @throws {Fault} the record belongs to another file or another target. */
  static async open(path: string, head: RecordHead): Promise<ImportRecord> {
    const handle = await open(path, 'a+');
    const done = await read(path, head);
    await handle.truncate(done.size);
    if (done.size === 0) await handle.appendFile(`${JSON.stringify(head)}\n`);
    return new ImportRecord(path, handle, done);
  }

  get size(): number {
    return this.#lines.size;
  }

  has(line: number): boolean {
    return this.#lines.has(line);
  }

  /** The uid at the target of the object that has this uid in the file. */
  uidOf(uid: string): string | undefined {
    return this.#uids.get(uid);
  }

  async add(line: number, uid: string, is: string): Promise<void> {
    await this.#handle.appendFile(`${line} ${uid} ${is}\n`);
    this.#lines.add(line);
    this.#uids.set(uid, is);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Deletes the record after a complete import. */
  async remove(): Promise<void> {
    await rm(this.#path);
  }
}

interface Done {
  readonly lines: Set<number>;
  readonly uids: Map<string, string>;
  readonly size: number;
}

async function read(path: string, head: RecordHead): Promise<Done> {
  const lines = new Set<number>();
  const uids = new Map<string, string>();
  let size = 0;
  for await (const { number, text, end } of fileLines(path)) {
    size = end;
    if (number === 1 && text !== JSON.stringify(head)) {
      const what = `${path} belongs to another import: ${text}`;
      throw new Fault({ what, advice: 'Remove this file to import from the beginning.' });
    }
    if (number === 1) continue;
    const [line, uid = '', is = ''] = text.split(' ');
    lines.add(Number(line));
    uids.set(uid, is);
  }
  return { lines, uids, size };
}
