import fc from 'fast-check';

/** A message as a sender put it into a queue. */
export interface Sent {
  readonly edit: number;
  readonly event: { readonly type: string; readonly object: unknown };
}

/** The events in the life of a Subscription. */
export type Happening =
  | { readonly what: 'put' | 'remove'; readonly name: string }
  /** Objects change sides. */
  | { readonly what: 'edit'; readonly names: readonly string[] }
  /** Changes are lost, then an ERROR and a new snapshot, of which this many messages are sent before the next event. */
  | { readonly what: 'fresh'; readonly lost: readonly string[]; readonly cut: number | undefined }
  /** The number of messages that are sent again. */
  | { readonly what: 'rewind'; readonly count: number };

const NAMES = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...NAMES);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('put' as const), name }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('remove' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('edit' as const), names: fc.subarray(NAMES) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('fresh' as const),
      lost: fc.array(name, { maxLength: 4 }),
      cut: fc.option(fc.nat(3), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('rewind' as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
);

export const happenings = fc.array(happening, { minLength: 1, maxLength: 25 });

/** A sender like Winnow's: the messages that it sent, and the true set after them. */
export class Sender {
  readonly sent: Sent[] = [];
  readonly set = new Map<string, number>();
  /** Objects that exist and are not selected. */
  readonly #others = new Map<string, number>();
  #rv = 0;
  #edit = 1;
  /** Where the suffix begins that a rewind may repeat. */
  #rewindable = 0;

  constructor(happened: readonly Happening[]) {
    for (const one of happened) this.#happen(one);
    // Whatever was cut off is begun anew in the end.
    if (this.#isCut) this.#happen({ what: 'fresh', lost: [], cut: undefined });
  }

  #isCut = false;

  #happen(one: Happening): void {
    if (this.#isCut && one.what !== 'fresh') return;
    switch (one.what) {
      case 'put':
      case 'remove':
        this.#change(one.what, one.name, (type, rv) => this.#send(type, one.name, rv));
        return;
      case 'edit':
        this.#swap(one.names);
        return;
      case 'fresh':
        this.#begin(one);
        return;
      case 'rewind':
        this.sent.push(...this.sent.slice(Math.max(this.#rewindable, this.sent.length - one.count)));
        return;
      default:
        one satisfies never;
    }
  }

  #change(what: 'put' | 'remove', changed: string, tell: (type: string, rv: number) => void): void {
    this.#rv += 1;
    const isIn = this.set.has(changed);
    if (what === 'put') {
      this.#others.delete(changed);
      this.set.set(changed, this.#rv);
      tell(isIn ? 'MODIFIED' : 'ADDED', this.#rv);
    } else if (this.set.delete(changed)) {
      tell('DELETED', this.#rv);
    }
  }

  /** A leaving object has the resourceVersion of the moment, an entering object its own. */
  #swap(names: readonly string[]): void {
    this.#edit += 1;
    for (const moved of names) {
      const rv = this.set.get(moved);
      const other = this.#others.get(moved);
      if (rv !== undefined) {
        this.set.delete(moved);
        this.#others.set(moved, rv);
        this.#send('DELETED', moved, this.#rv);
      } else if (other !== undefined) {
        this.#others.delete(moved);
        this.set.set(moved, other);
        this.#send('ADDED', moved, other);
      }
    }
  }

  #begin({ lost, cut }: Extract<Happening, { what: 'fresh' }>): void {
    for (const changed of lost) this.#change(this.set.has(changed) ? 'remove' : 'put', changed, () => {});
    this.#edit += 1;
    this.#rewindable = this.sent.length;
    this.sent.push({
      edit: this.#edit,
      event: { type: 'ERROR', object: { kind: 'Status', code: 410, metadata: {} } },
    });
    this.#isCut = cut !== undefined;
    for (const [known, rv] of [...this.set].slice(0, cut)) this.#send('ADDED', known, rv);
    if (this.#isCut) return;
    const metadata = {
      resourceVersion: String(this.#rv),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    };
    this.sent.push({ edit: this.#edit, event: { type: 'BOOKMARK', object: { metadata } } });
  }

  #send(type: string, sent: string, rv: number): void {
    const metadata = { namespace: 'default', name: sent, resourceVersion: String(rv) };
    this.sent.push({ edit: this.#edit, event: { type, object: { kind: 'Pod', metadata } } });
  }
}
