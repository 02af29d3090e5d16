import type { JsonObject } from '../../../lib/json/index.ts';
import type { Received } from '../watch/memory-queues.ts';

export interface ConsumerEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject & { readonly metadata: { readonly [key: string]: unknown } };
  readonly attributes: Readonly<Record<string, string>>;
  readonly group?: string | undefined;
  readonly deduplication?: string | undefined;
}

interface Version {
  readonly edit: number;
  readonly rv: number;
}

/**
 * A subscriber as the documentation tells it to be: the newest event of each object wins, by edit and resourceVersion,
 * and an ERROR 410 forgets what is of lower edits.
 */
export class Consumer {
  readonly events: ConsumerEvent[] = [];
  /** Events that told less than what was known of their object. */
  readonly repeats: ConsumerEvent[] = [];
  readonly #versions = new Map<string, Version>();
  readonly #objects = new Map<string, number>();
  #floor = 0;

  read(messages: readonly Received[]): ConsumerEvent[] {
    const events = messages.map(({ body, ...rest }) => ({ ...rest, ...JSON.parse(body) }) as ConsumerEvent);
    for (const event of events) this.#fold(event);
    this.events.push(...events);
    return events;
  }

  /** `<namespace>/<name>@<resourceVersion>` of every object it knows, sorted. */
  get known(): string[] {
    return [...this.#objects].map(([name, rv]) => `${name}@${rv}`).sort();
  }

  #fold(event: ConsumerEvent): void {
    const edit = Number(event.attributes.edit ?? 0);
    if (event.type === 'ERROR') this.#forgetBelow(edit);
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return;
    const { namespace = '', name, resourceVersion } = event.object.metadata;
    const key = `${namespace}/${name}`;
    const rv = Number(resourceVersion);
    const known = this.#versions.get(key) ?? { edit: this.#floor, rv: 0 };
    if (edit < known.edit || (edit === known.edit && rv < known.rv)) {
      this.repeats.push(event);
      return;
    }
    this.#versions.set(key, { edit, rv });
    if (event.type === 'DELETED') {
      this.#objects.delete(key);
    } else {
      this.#objects.set(key, rv);
    }
  }

  #forgetBelow(edit: number): void {
    this.#floor = Math.max(this.#floor, edit);
    for (const [key, version] of this.#versions) {
      if (version.edit >= edit) continue;
      this.#versions.delete(key);
      this.#objects.delete(key);
    }
  }
}

/** `ADDED default/web@5`, or the type alone. */
export function describeEvent({ type, object }: ConsumerEvent): string {
  const { namespace = '', name, resourceVersion } = object.metadata;
  return name === undefined ? type : `${type} ${namespace}/${name}@${resourceVersion}`;
}
