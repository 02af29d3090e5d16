import type { ListPlan, PlanStep } from '../contract.ts';
import type { JournalView } from '../journal-tail.ts';
import type { IndexRead, ListReads, ReadPurpose } from '../list-reads.ts';
import { add, emptyTally, measuredTable, type Tally } from '../measured-table.ts';
import type { Table } from '../table.ts';
import type { Source } from './list-sources.ts';

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
