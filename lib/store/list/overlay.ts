import type { Collection } from '../../json/index.ts';
import { readHead } from '../head.ts';
import type { JournalTail, JournalView } from '../journal-tail.ts';
import type { ListReads } from '../list-reads.ts';
import { type TouchedStates, touchedStates } from './state-at.ts';

export interface OverlayOptions {
  readonly reads: ListReads;
  readonly collection: Collection;
  readonly tail: JournalTail;
}

/** The journal from one resourceVersion on, which a LIST applies on top of its rows. It reads no entry twice. */
export class Overlay {
  readonly #options: OverlayOptions;
  readonly #at: number;
  #view: JournalView | undefined;
  #touched: TouchedStates | undefined;

  constructor(options: OverlayOptions, at: number) {
    this.#options = options;
    this.#at = at;
  }

  /** Returns the journal read so far, at least up to `head`; everything up to there is settled. */
  async upTo(head: number): Promise<JournalView> {
    const known = this.#view;
    if (known !== undefined && head <= known.upTo) return known;
    const { reads, tail } = this.#options;
    const view = await tail.cover(reads.from('journal'), head, known?.upTo ?? this.#at);
    this.#touched = undefined;
    this.#view = known === undefined ? view : joined(known, view);
    return this.#view;
  }

  /** Returns the objects that the journal changes, up to the current head. Call it AFTER rows were read. */
  async touched(): Promise<TouchedStates> {
    const { reads, collection } = this.#options;
    const view = await this.upTo(await readHead(reads.from('head'), collection));
    this.#touched ??= touchedStates(view, this.#at);
    return this.#touched;
  }

  /** The view and the number of objects that it changes, as far as they were read. */
  get facts(): { view: JournalView; touched: number } {
    const nothing = { after: this.#at, upTo: this.#at, entries: [] };
    return { view: this.#view ?? nothing, touched: this.#touched?.size ?? 0 };
  }
}

function joined(view: JournalView, newer: JournalView): JournalView {
  const entries = newer.entries.filter((entry) => entry.rv > view.upTo);
  return { after: view.after, upTo: newer.upTo, entries: [...view.entries, ...entries] };
}
