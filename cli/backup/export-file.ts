import { type FileHandle, open } from 'node:fs/promises';
import type { JsonObject } from '../../lib/json/index.ts';
import { Fault } from '../connection/index.ts';
import { FORMAT, type Form, type Marker, markerLine, parseMarker } from './export-line.ts';
import { fileLines } from './file-lines.ts';

/** The progress of the export of one collection. */
export type Progress = Extract<Marker, { what: 'page' }>;

export interface ExportHead {
  readonly form: Form;
  /** The endpoint's URL. */
  readonly from: string;
}

/**
 * The file of an export. A continued export keeps everything up to the last marker, and writes the rest
 * again.
 */
export class ExportFile {
  /** Whether the export was complete when the file was opened. */
  isComplete = false;
  objects = 0;
  readonly #handle: FileHandle;
  readonly #progress = new Map<string, Progress>();
  /** The offset of the current collection, in bytes and in objects. `#size` is the file's length. */
  #begin = { size: 0, objects: 0 };
  #size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @throws {Fault} the file exists and belongs to another export, or is no export. */
  static async open(path: string, head: ExportHead): Promise<ExportFile> {
    const file = new ExportFile(await open(path, 'a+', OF_ITS_OWNER));
    const begin = markerLine({ what: 'begin', format: FORMAT, ...head });
    await file.#recover(path, { head, begin });
    if (file.#size === 0) await file.#append(begin);
    file.#begin.size ||= file.#size;
    return file;
  }

  /** The progress of a collection; undefined if its export has not begun. */
  of(path: string): Progress | undefined {
    return this.#progress.get(path);
  }

  /** Adds a page atomically: after a crash the file holds all of it or none of it. */
  async add(objects: readonly JsonObject[], progress: Progress): Promise<void> {
    await this.#append(
      [...objects.map((object) => `${JSON.stringify(object)}\n`), markerLine(progress)].join(''),
    );
    this.#count(progress, objects.length);
  }

  /** Removes the objects of the current collection from the file. */
  async rewind(path: string): Promise<void> {
    this.#progress.delete(path);
    this.objects = this.#begin.objects;
    this.#size = this.#begin.size;
    await this.#handle.truncate(this.#size);
  }

  async end(): Promise<void> {
    await this.#append(markerLine({ what: 'end', objects: this.objects }));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #count(progress: Progress, objects: number): void {
    this.objects += objects;
    this.#progress.set(progress.path, progress);
    if (progress.continue === '') this.#begin = { size: this.#size, objects: this.objects };
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#handle.appendFile(bytes);
    await this.#handle.datasync();
    this.#size += bytes.length;
  }

  async #recover(path: string, { head, begin }: Beginning): Promise<void> {
    let objects = 0;
    for await (const { number, text, end } of fileLines(path)) {
      const marker = number === 1 ? beginning(text, path, head) : parseMarker(text);
      if (marker === undefined) {
        objects += 1;
        continue;
      }
      this.#size = end;
      if (marker.what === 'begin') this.#begin.size = end;
      if (marker.what === 'page') this.#count(marker, objects);
      if (marker.what === 'end') this.isComplete = true;
      objects = 0;
    }
    if (this.#size === 0 && !begin.startsWith(await this.#first(begin.length + 1))) throw noExport(path);
    await this.#handle.truncate(this.#size);
  }

  async #first(bytes: number): Promise<string> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  }
}

interface Beginning {
  readonly head: ExportHead;
  /** The first line of this export. */
  readonly begin: string;
}

/** The file holds Secrets, so only its owner may read it. */
const OF_ITS_OWNER = 0o600;
const ADVICE = 'Use another file name, or remove this file.';

const noExport = (path: string) => new Fault({ what: `${path} exists and is not an export`, advice: ADVICE });

function beginning(line: string, path: string, { form, from }: ExportHead): Marker {
  const marker = markerOf(line);
  if (marker?.what !== 'begin') throw noExport(path);
  if (marker.format !== FORMAT || marker.form !== form || marker.from !== from) {
    const what = `${path} is a different export: form ${marker.form}, from ${marker.from}`;
    throw new Fault({ what, advice: ADVICE });
  }
  return marker;
}

function markerOf(line: string): Marker | undefined {
  try {
    return parseMarker(line);
  } catch {
    return undefined;
  }
}
