import { readKnown } from '../../coordination/index.ts';
import { restartSubscriptions } from '../../delivery/index.ts';
import type { Collection } from '../../json/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import {
  collections,
  namespacedCollections,
  targetResources,
} from '../../kubernetes/resource-types/index.ts';
import { type Clock, HISTORY_DAYS, type Logger, mapBounded, type Random } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import {
  createStore,
  declareCollection,
  eachPage,
  FIRST_VERSION,
  forgetRuleVersions,
  type ObjectToWrite,
  Repair,
  RestoreLock,
  type RestoreProgress,
  raiseWatermarks,
  readDeclared,
  roundsKey,
  type Scan,
  type Store,
  scanTable,
  snapshotKey,
  type Table,
} from '../../store/index.ts';
// Not from the index.ts, which Lambda functions load: only a restore needs this.
import { declarationOf } from '../registry/declaration-of.ts';
import { createKindFacts } from './kind-facts.ts';

export interface RestoreOptions {
  /** The unique id of the copy. Progress in the table that belongs to a restore with another id is ignored. */
  readonly id: string;
  /** The table to repair. No other process works on it. */
  readonly table: Table;
  readonly scan: Scan;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long the lost table was written after the copy, in seconds; undefined means until now. */
  readonly lostSeconds?: number | undefined;
  /** Receives progress messages. */
  say(text: string): void;
}

/** More resourceVersions than a collection can allot in one second, because its head is one row. */
const A_SECOND = 1_000;
/** A margin for clocks that differ, and because a copy does not show one moment. */
const MARGIN_SECONDS = 60;
/** The assumed loss if a copy has no journal: longer than the period from which a table can be recovered. */
const LONGEST_LOST = 36 * 86_400;
const AT_ONCE = 4;
const PAGES_A_WORD = 100;
const TRIES = 5;

/**
 * Repairs a table that point-in-time recovery created from a table that was lost while it was written. Afterwards:
 *
 * - New resourceVersions of each collection are above all that the lost table can have allotted.
 * - Objects and the rows that belong to them agree.
 * - Every subscription starts again.
 *
 * It stores its progress, so the next call continues there. Each step may be repeated.
 *
 * @throws {RestoreUnderwayError} another process restores the table, or has taken over
 */
export async function restoreTable(given: RestoreOptions): Promise<RestoreProgress> {
  const turn = await RestoreLock.take(given);
  const options = { ...given, table: turn.guarded(given.table) };
  try {
    let progress = turn.progress ?? (await begin(options, turn));
    if (turn.progress !== undefined) options.say(goingOn(progress));
    for (let step = STEPS[progress.step]; step !== undefined; step = STEPS[progress.step]) {
      const restoring = new Restoring(options, { turn, progress });
      progress = await step(restoring);
      await turn.store(progress);
    }
    return progress;
  } finally {
    await turn.end();
  }
}

const goingOn = ({ step }: RestoreProgress) =>
  step === 'done' ? 'This copy is already repaired.' : `Continuing with: ${step}.`;

async function begin(options: RestoreOptions, turn: RestoreLock): Promise<RestoreProgress> {
  const { id, scan, clock, lostSeconds, say } = options;
  say('Reading the whole table.');
  const survey = await scanTable(scan);
  const began = clock.now();
  const lost = survey.newest === 0 ? LONGEST_LOST : Math.max(0, (began - survey.newest) / 1000);
  const raise = (Math.ceil(lostSeconds ?? lost) + MARGIN_SECONDS) * A_SECOND;
  const progress = { id, survey, raise, began, step: 'marks', found: {} } as const;
  await turn.store(progress);
  say(`${survey.rows} rows. New resourceVersions begin ${raise} higher.`);
  return progress;
}

type Step = (restoring: Restoring) => Promise<RestoreProgress>;

/** The counts of repairs, by their stored names, with the texts that are shown. */
const FOUND = [
  ['fell back', 'took an earlier state, because the copy lacks chunks of the newest'],
  ['written again', 'written again'],
  ['stray rows', 'stray rows'],
  ['looks owed', 'GC tasks put'],
  ['given to another', 'given to another'],
] as const;

/** The steps by name; `done` has no step. */
const STEPS: Partial<Record<RestoreProgress['step'], Step>> = {
  marks: (restoring) => restoring.raiseMarks(),
  journal: (restoring) => restoring.rollForward(),
  rows: (restoring) => restoring.repairRows(),
  subscriptions: (restoring) => restoring.restartSubscriptions(),
};

class Restoring {
  readonly #options: RestoreOptions;
  readonly #store: Store;
  readonly #turn: RestoreLock;
  #progress: RestoreProgress;

  constructor(
    options: RestoreOptions,
    { turn, progress }: { readonly turn: RestoreLock; readonly progress: RestoreProgress },
  ) {
    this.#options = options;
    this.#turn = turn;
    this.#progress = progress;
    // Each entry links the changes before it, so it is kept as long as any of them.
    this.#store = createStore({ ...options, historyDays: HISTORY_DAYS.most });
  }

  async raiseMarks(): Promise<RestoreProgress> {
    const { table, say } = this.#options;
    const all = await this.#collections();
    await mapBounded(all, AT_ONCE, (collection) =>
      raiseWatermarks(table, collection, this.#headOf(collection)),
    );
    await forgetRuleVersions(table);
    // Without this row, all derived data is computed again.
    await table.delete(roundsKey);
    // No process trusts the stored world snapshot now. It is deleted because, if it names a later epoch than the
    // copy's lease, it would block new snapshots.
    await table.delete(snapshotKey);
    say(`${all.length} collections continue above every lost resourceVersion.`);
    return { ...this.#progress, step: 'journal' };
  }

  /**
   * Rolls objects forward to their journals. Definitions come first, because they define what objects of their kinds
   * select.
   */
  async rollForward(): Promise<RestoreProgress> {
    const all = await this.#collections();
    const repair = await this.#repair();
    await repair.rollForward(DEFINITIONS);
    await this.#declareMissing();
    const others = all.filter((collection) => collection !== DEFINITIONS);
    for (const collection of others) await repair.rollForward(collection);
    this.#options.say(`${this.#found('rolled forward')} objects took the state of their journal.`);
    return { ...this.#progress, step: 'rows' };
  }

  async repairRows(): Promise<RestoreProgress> {
    const { scan, say } = this.#options;
    const repair = await this.#repair();
    let rows = 0;
    for (let page = 1, isOver = false; !isOver; page += 1) {
      const { rows: some, next } = await scan(this.#progress.after);
      await repair.repairRows(some);
      rows += some.length;
      isOver = next === undefined;
      this.#progress = { ...this.#progress, after: next };
      await this.#turn.store(this.#progress);
      if (page % PAGES_A_WORD === 0) say(`${rows} rows so far`);
    }
    const found = FOUND.map(([what, text]) => `${this.#found(what)} ${text}`);
    say(`Checked: ${found.join(', ')}.`);
    return { ...this.#progress, step: 'subscriptions' };
  }

  async restartSubscriptions(): Promise<RestoreProgress> {
    const { id, raise } = this.#progress;
    const restarted = await restartSubscriptions({ ...(await this.#known()), raise, id });
    this.#options.say(`${restarted} subscriptions restart with a new snapshot.`);
    return { ...this.#progress, step: 'done' };
  }

  #found(what: string): number {
    return this.#progress.found[what] ?? 0;
  }

  #known() {
    const { table } = this.#options;
    return readKnown({ table, collections, namespacedCollections, resources: targetResources });
  }

  /** Every collection that exists or existed. */
  async #collections(): Promise<readonly Collection[]> {
    const known = (await this.#known()).collections;
    return [...new Set([...known, ...(Object.keys(this.#progress.survey.highest) as Collection[])])];
  }

  #headOf(collection: Collection): number {
    return (this.#progress.survey.highest[collection] ?? FIRST_VERSION) + this.#progress.raise;
  }

  async #repair(): Promise<Repair> {
    const { table, clock, random } = this.#options;
    const { survey, began } = this.#progress;
    const { resources } = await this.#known();
    const facts = createKindFacts({ store: this.#store, clock, random, resources });
    return new Repair({
      ...facts,
      table,
      clock,
      survey,
      began,
      rewrite: (object) => this.#rewrite(object),
      found: (what) => {
        const found = { ...this.#progress.found, [what]: this.#found(what) + 1 };
        this.#progress = { ...this.#progress, found };
      },
    });
  }

  /**
   * Declares collections of definitions that are not declared. A collection is declared before its definition is
   * written, but a copy does not show one moment.
   */
  async #declareMissing(): Promise<void> {
    const { table, clock } = this.#options;
    const declared = new Set((await readDeclared(table)).map(({ collection }) => collection));
    for await (const { items } of eachPage(this.#store, DEFINITIONS, { selector: everything })) {
      for (const { body } of items) {
        const declaration = declarationOf(body, clock.now());
        if (declared.has(declaration.collection)) continue;
        await declareCollection(table, declaration);
        await raiseWatermarks(table, declaration.collection, this.#headOf(declaration.collection));
      }
    }
  }

  /** Retries only while the last attempt is known to have written nothing. */
  async #rewrite({
    collection,
    name,
    body,
    reserves,
    selects,
    expires,
    known,
    repeats,
  }: ObjectToWrite): Promise<void> {
    const { clock } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#store.write(
          collection,
          name,
          (current) => {
            if (current !== known) throw new AgainError();
            if (body === undefined) return { kind: 'delete', body: repeats.body };
            return { kind: 'put', body, reserves, selects, ...(expires !== undefined && { expires }) };
          },
          { known: { state: known, at: clock.now() }, repeats },
        );
        return;
      } catch (error) {
        if (!(error instanceof AgainError) || tries === TRIES) throw error;
      }
    }
  }
}

/**
 * Thrown when the store runs `change` again, which means that the attempt wrote nothing. The next attempt starts from
 * the same known state.
 */
class AgainError extends Error {
  override name = 'AgainError';
}
