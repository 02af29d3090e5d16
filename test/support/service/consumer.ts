import type { JsonObject } from '../../../lib/store/index.ts';
import type { Received } from '../watch/test-queues.ts';

export interface ConsumerEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject & { readonly metadata: { readonly [key: string]: unknown } };
  readonly attributes: Readonly<Record<string, string>>;
  readonly group?: string | undefined;
  readonly deduplication?: string | undefined;
}

/** A subscriber as the documentation tells it to be: the newest event of each object wins, ERROR 410 forgets all. */
export class Consumer {
  readonly events: ConsumerEvent[] = [];
  /** Events that told less than what was known of their object. */
  readonly repeats: ConsumerEvent[] = [];
  readonly #versions = new Map<string, number>();
  readonly #objects = new Map<string, number>();

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
    if (event.type === 'ERROR') {
      this.#versions.clear();
      this.#objects.clear();
    }
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return;
    const { namespace = '', name, resourceVersion } = event.object.metadata;
    const key = `${namespace}/${name}`;
    const rv = Number(resourceVersion);
    if (rv < (this.#versions.get(key) ?? 0)) {
      this.repeats.push(event);
      return;
    }
    this.#versions.set(key, rv);
    if (event.type === 'DELETED') {
      this.#objects.delete(key);
    } else {
      this.#objects.set(key, rv);
    }
  }
}

/** `ADDED default/web@5`, or the type alone. */
export function describeEvent({ type, object }: ConsumerEvent): string {
  const { namespace = '', name, resourceVersion } = object.metadata;
  return name === undefined ? type : `${type} ${namespace}/${name}@${resourceVersion}`;
}
