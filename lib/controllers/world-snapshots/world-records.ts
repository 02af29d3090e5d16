import { compact, type WorldKinds } from '../../placement/index.ts';
import type { WorldChange, WorldListener } from '../../server/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';

/** The kind of a record. `WaitingPod` is a pod without a node; its whole object and resourceVersion are stored. */
export type RecordKind = keyof WorldKinds | 'WaitingPod';

/** The objects of a chunk, by kind: a compact object each, or `[rv, object]` of a waiting pod. */
export type Records = Readonly<Partial<Record<RecordKind, readonly unknown[]>>>;

/** The records of the world's objects for other processes, each as text. It receives the same changes as the world. */
export class WorldRecords implements WorldListener {
  readonly #texts = new Map<RecordKind, Map<string, string>>();
  #size = 0;

  /** The number of objects. */
  get size(): number {
    return this.#size;
  }

  tell({ kind, name, after }: WorldChange): void {
    const key = nameKey(name);
    this.#delete(kind, key);
    if (kind === 'Pod') this.#delete('WaitingPod', key);
    if (after === undefined) return;
    const object = compact(kind, after.body as WorldKinds[typeof kind]);
    if (object !== undefined) {
      this.#set(kind, key, JSON.stringify(object));
    } else if (hasNotEnded(after)) {
      this.#set('WaitingPod', key, JSON.stringify([after.rv, after.body]));
    }
  }

  /** All records, as JSON of {@link Records} of about `length` characters each; longer where one object is longer. */
  *chunks(length: number): Generator<string> {
    for (const [kind, texts] of this.#texts) {
      let chunk: string[] = [];
      let taken = 0;
      for (const text of texts.values()) {
        if (taken > 0 && taken + text.length > length) {
          yield chunkOf(kind, chunk);
          chunk = [];
          taken = 0;
        }
        chunk.push(text);
        taken += text.length;
      }
      if (chunk.length > 0) yield chunkOf(kind, chunk);
    }
  }

  #set(kind: RecordKind, key: string, text: string): void {
    const texts = this.#texts.get(kind) ?? new Map<string, string>();
    this.#texts.set(kind, texts.set(key, text));
    this.#size += 1;
  }

  #delete(kind: RecordKind, key: string): void {
    if (this.#texts.get(kind)?.delete(key)) this.#size -= 1;
  }
}

function chunkOf(kind: RecordKind, texts: readonly string[]): string {
  return `{${JSON.stringify(kind)}:[${texts.join(',')}]}`;
}

/** Whether a pod may still count. One that has ended never counts again. */
function hasNotEnded({ body }: ObjectState): boolean {
  const { phase } = (body.status ?? {}) as { readonly phase?: unknown };
  return phase !== 'Succeeded' && phase !== 'Failed';
}
