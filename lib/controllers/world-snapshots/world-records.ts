import { compact, type WorldKinds } from '../../placement/index.ts';
import type { WorldChange, WorldListener } from '../../server/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';

/** `WaitingPod`: one without a node, of which everything is kept, and its resourceVersion. */
export type RecordKind = keyof WorldKinds | 'WaitingPod';

/** The objects of a chunk, by kind: a compact object each, or `[rv, object]` of a pod that waits. */
export type Records = Readonly<Partial<Record<RecordKind, readonly unknown[]>>>;

/** What of the objects of a world is kept for others, each as text. Hears all that the world is told. */
export class WorldRecords implements WorldListener {
  readonly #texts = new Map<RecordKind, Map<string, string>>();
  #size = 0;

  /** How many objects. */
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

  /** All records, as the JSON of `Records` of some `length` each; of more where one object has more. */
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

/** A pod that is over counts for nothing, and never will. */
function hasNotEnded({ body }: ObjectState): boolean {
  const { phase } = (body.status ?? {}) as { readonly phase?: unknown };
  return phase !== 'Succeeded' && phase !== 'Failed';
}
