import type { Requirement } from '../../selectors/index.ts';
import type { ListPlan, PlanStep, ValuesRead } from '../contract.ts';
import type { JournalView } from '../journal-tail.ts';
import type { IndexRead, ListReads, ReadPurpose } from '../list-reads.ts';
import type { Table } from '../table.ts';
import { addTally, measuredTable, noReadCost, type ReadCost } from '../tables/index.ts';
import type { CandidatePlan } from './candidate-stream.ts';
import type { Source } from './list-sources.ts';
import { ValuesStream } from './values-stream.ts';

/** The facts about a LIST at its end. */
export interface PlanFacts {
  readonly source: Source;
  readonly pages: number;
  readonly matches: number;
  readonly view: JournalView;
  readonly touched: number;
}

interface RecordedStep extends Pick<PlanStep, 'purpose' | 'read'> {
  readonly tally: ReadCost;
  readonly table: Table;
}

/** The reads of one LIST, counted by purpose. */
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
    const tally = noReadCost();
    const table = measuredTable(this.#table, tally);
    this.#steps.set(key, { purpose, read, tally, table });
    return table;
  }

  plan({ source, view, touched, pages, matches }: PlanFacts): ListPlan {
    const { candidates, access, relabelled } = source;
    const drivers = candidates?.stream?.drivers.map((stream) => candidates.requirements.get(stream));
    const values = valuesRead(candidates);
    // Slots that were already cached, and objects that no batch had, are not read.
    const taken = [...this.#steps.values()].filter(
      ({ purpose, tally }) => tally.requests > 0 || (purpose !== 'slots' && purpose !== 'objects'),
    );
    const steps = taken.map(({ purpose, read, tally }) => ({
      purpose,
      ...tally,
      ...(read && { read, drives: drivers?.includes(read.requirement) ?? false }),
      ...(read && { values: values.get(read.requirement) }),
    }));
    const total = noReadCost();
    for (const step of steps) addTally(total, step);
    return {
      access,
      steps,
      total,
      candidates: steps.reduce((sum, { read, rows }) => sum + (read === undefined ? 0 : rows), 0),
      skips: candidates?.stream?.skips ?? 0,
      matches,
      pages,
      relabelled,
      overlay: { after: view.after, upTo: view.upTo, objects: touched },
    };
  }
}

/** How the requirements on many values were read, for those that were. */
function valuesRead(plan: CandidatePlan | undefined): Map<Requirement, ValuesRead> {
  const values = new Map<Requirement, ValuesRead>();
  for (const [stream, requirement] of plan?.requirements ?? []) {
    if (stream instanceof ValuesStream && stream.read !== undefined) values.set(requirement, stream.read);
  }
  return values;
}
