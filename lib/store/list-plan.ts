import type { JournalView } from './journal-tail.ts';
import type { IndexRead, ListReads, ReadPurpose } from './list-reads.ts';
import type { Access, Source } from './list-sources.ts';
import { add, emptyTally, measuredTable, type Tally } from './measured-table.ts';
import type { Table } from './table.ts';

/** What a LIST read for one purpose. */
export interface PlanStep extends Readonly<Tally> {
  readonly purpose: ReadPurpose;
  /** The requirement read, and the index it was read from. */
  readonly read?: IndexRead;
  /** Whether names were taken from this requirement, or it only told how far to skip. */
  readonly drives?: boolean;
}

/** How a LIST found its objects, and what it took. */
export interface ListPlan {
  readonly access: Access;
  readonly steps: readonly PlanStep[];
  readonly total: Readonly<Tally>;
  /** Entries of label indexes read. */
  readonly candidates: number;
  /** How often the requirements let a stretch of an index be skipped. */
  readonly skips: number;
  /** Objects in the answer. */
  readonly matches: number;
  /** Stretches of names that were read one after the other. */
  readonly pages: number;
  /** Objects in the relabel window; undefined where it was not needed, or too much to read. */
  readonly relabelled: number | undefined;
  readonly overlay: Overlay;
}

/** The stretch of the journal that was laid over the rows. */
export interface Overlay {
  /** resourceVersions: after the first, up to the last. */
  readonly after: number;
  readonly upTo: number;
  /** Objects it touches, whatever their names: they are what it says, not what their rows say. */
  readonly objects: number;
}

/** What is known of a LIST when it is over. */
export interface PlanFacts {
  readonly source: Source;
  readonly pages: number;
  readonly matches: number;
  readonly view: JournalView;
  readonly touched: number;
}

interface RecordedStep extends Pick<PlanStep, 'purpose' | 'read'> {
  readonly tally: Tally;
  readonly table: Table;
}

/** The reads of one LIST, counted by what they are for. */
export class PlanRecorder implements ListReads {
  readonly #table: Table;
  readonly #steps = new Map<string, RecordedStep>();

  constructor(table: Table) {
    this.#table = table;
  }

  from(purpose: ReadPurpose, read?: IndexRead): Table {
    const key = `${purpose} ${read?.requirement ?? ''}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known.table;
    const tally = emptyTally();
    const table = measuredTable(this.#table, tally);
    this.#steps.set(key, { purpose, read, tally, table });
    return table;
  }

  plan({ source, view, touched, pages, matches }: PlanFacts): ListPlan {
    const { candidates, access, relabelled } = source;
    const drivers = candidates?.stream.drivers.map((stream) => candidates.requirements.get(stream));
    const steps = [...this.#steps.values()].map(({ purpose, read, tally }) => ({
      purpose,
      ...tally,
      ...(read === undefined ? {} : { read, drives: drivers?.includes(read.requirement) ?? false }),
    }));
    const total = emptyTally();
    for (const step of steps) add(total, step);
    return {
      access,
      steps,
      total,
      candidates: steps.reduce((sum, { read, rows }) => sum + (read === undefined ? 0 : rows), 0),
      skips: candidates?.stream.skips ?? 0,
      matches,
      pages,
      relabelled,
      overlay: { after: view.after, upTo: view.upTo, objects: touched },
    };
  }
}
