import { NotFoundError } from '../../lib/client/objects/index.ts';
import { ask, type KindInfo, METADATA, objectPath, type Row } from '../api/index.ts';

/** A watch tells the last state in the set of an object that leaves. This reads what became of it, five objects a second. */
const EVERY = 200;
/** More leavers than this stay without words. */
const MOST_WAITING = 20;

type Told = (labels: Readonly<Record<string, string>> | undefined) => void;

/** Reads the labels that objects have after they left a set. */
export class LeaverReader {
  readonly #kind: KindInfo;
  readonly #waiting: { readonly row: Row; readonly told: Told }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = 0;

  constructor(kind: KindInfo) {
    this.#kind = kind;
  }

  /** Reads one object, later. `told` gets its labels, or undefined if it was deleted. */
  read(row: Row, told: Told): void {
    if (this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push({ row, told });
    this.#timer ??= setTimeout(() => void this.#next(), Math.max(0, this.#nextAt - Date.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  async #next(): Promise<void> {
    const next = this.#waiting.shift();
    this.#nextAt = Date.now() + EVERY;
    this.#timer = this.#waiting.length === 0 ? undefined : setTimeout(() => void this.#next(), EVERY);
    if (next === undefined) return;
    const { row, told } = next;
    try {
      const { metadata } = await ask<Row>(objectPath(this.#kind, row.metadata), { accept: METADATA });
      told(metadata.uid === row.metadata.uid ? (metadata.labels ?? {}) : undefined);
    } catch (error) {
      // Without the right to read it, the row only says that it left.
      if (error instanceof NotFoundError) told(undefined);
    }
  }
}
