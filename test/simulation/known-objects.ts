import type { Snapshot, WatchedEvent } from './history.ts';

interface Version {
  readonly edit: number;
  readonly rv: number;
}

/**
 * The objects that a consumer of a queue knows if it follows the documentation. The newest event of each object wins,
 * by edit and resourceVersion. An ERROR 410 forgets the objects of lower edits.
 */
export class KnownObjects {
  readonly #versions = new Map<string, Version>();
  readonly #objects = new Map<string, Snapshot>();
  /** Objects of lower edits were forgotten, and do not come back. */
  #floor = 0;

  get cache(): Snapshot[] {
    return [...this.#objects.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
  }

  take(event: WatchedEvent, edit: number): void {
    if (event.type === 'ERROR') {
      this.#forgetBelow(edit);
    } else if (event.type !== 'BOOKMARK') this.#fold(event, edit);
  }

  /** Forgets everything, because a new queue begins with a snapshot. */
  forget(): void {
    this.#floor = 0;
    this.#versions.clear();
    this.#objects.clear();
  }

  #fold({ type, object }: Extract<WatchedEvent, { object: Snapshot }>, edit: number): void {
    const known = this.#versions.get(object.object) ?? { edit: this.#floor, rv: 0 };
    if (edit < known.edit || (edit === known.edit && object.rv <= known.rv)) return;
    this.#versions.set(object.object, { edit, rv: object.rv });
    if (type === 'DELETED') {
      this.#objects.delete(object.object);
    } else {
      this.#objects.set(object.object, object);
    }
  }

  #forgetBelow(edit: number): void {
    this.#floor = Math.max(this.#floor, edit);
    for (const [object, version] of this.#versions) {
      if (version.edit >= edit) continue;
      this.#versions.delete(object);
      this.#objects.delete(object);
    }
  }
}
