import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { Column, LiveSet, TableRow } from '../../lib/client/objects/index.ts';
import { followRows, type Question, type Row, watchState, writtenLabels } from '../api/index.ts';
import { labelDifference } from './label-difference.ts';
import { LeaverReader } from './leaver-reader.ts';
import { keyOf, type Mark } from './rows.ts';

export type TableState = 'starting' | 'live' | 'asking' | 'resting' | 'stale' | 'stopped';

/** The time for which a row that left stays, in ms. */
const LEAVING = 2_000;
/** The time for which a row that entered or changed is marked, in ms. */
const MARKED = 1_600;

/** The rows of a set that follows the server, with the changes of the last seconds, as signals. */
export class LiveTable {
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** The rows that left a moment ago, by key. */
  readonly leaving: ReadonlySignal<ReadonlyMap<string, Row>>;
  readonly marks: ReadonlySignal<ReadonlyMap<string, Mark>>;
  readonly columns: ReadonlySignal<readonly Column[]>;
  readonly state: ReadonlySignal<TableState>;
  /** The number of objects in the set, also of those that are not held. */
  readonly count: ReadonlySignal<number>;
  /** Whether `rows` are the whole set. */
  readonly complete: ReadonlySignal<boolean>;
  readonly version: ReadonlySignal<string>;
  /** The time of the newest change, in ms since 1970; 0 before the first one. */
  readonly changedAt: ReadonlySignal<number>;
  /** The time since which the rows may be old, in ms since 1970; 0 while they are not. */
  readonly staleSince: ReadonlySignal<number>;
  readonly error: ReadonlySignal<Error | undefined>;
  readonly #set: LiveSet<TableRow>;
  readonly #leavers: LeaverReader;
  readonly #rows = signal<readonly Row[]>([]);
  readonly #leaving = signal<ReadonlyMap<string, Row>>(new Map());
  readonly #marks = signal<ReadonlyMap<string, Mark>>(new Map());
  readonly #columns = signal<readonly Column[]>([]);
  readonly #state = signal<TableState>('starting');
  readonly #count = signal(0);
  readonly #complete = signal(false);
  readonly #version = signal('');
  readonly #changedAt = signal(0);
  readonly #staleSince = signal(0);
  readonly #error = signal<Error | undefined>(undefined);
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** Before the first list is complete, objects do not enter: they were there. */
  #isSynced = false;
  #freshMarks = new Map<string, Mark>();
  #gone = new Map<string, Row>();
  /** The marks of rows that wait while the table is held; undefined while it is not. */
  #held: Map<string, Mark> | undefined;

  constructor(question: Question) {
    this.rows = this.#rows;
    this.leaving = this.#leaving;
    this.marks = this.#marks;
    this.columns = this.#columns;
    this.state = this.#state;
    this.count = this.#count;
    this.complete = this.#complete;
    this.version = this.#version;
    this.changedAt = this.#changedAt;
    this.staleSince = this.#staleSince;
    this.error = this.#error;
    this.#leavers = new LeaverReader(question.kind);
    this.#set = followRows(question);
    this.#set.on('add', (row) => this.#mark(row, { kind: 'enter', words: 'entered', keys: [] }));
    this.#set.on('update', (row, before) => {
      const { words, keys } = labelDifference(before.metadata.labels, row.metadata.labels);
      this.#mark(row, { kind: 'change', words: words || 'changed', keys });
    });
    this.#set.on('delete', (row) => this.#leave(row));
    this.#set.on('synced', () => {
      this.#isSynced = true;
    });
    this.#set.on('error', (error) => {
      if (watchState.value !== 'resting') this.#error.value = error;
    });
    this.#set.subscribe(() => this.#show());
  }

  /** Ends the requests of the set. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#leavers.stop();
    void this.#set.stop();
  }

  /** Keeps the marks of rows that enter while the table is held: they are shown once it is not. */
  hold(isHeld: boolean): void {
    const held = this.#held ?? new Map<string, Mark>();
    if (!isHeld && held.size > 0) this.#later(MARKED, () => this.#unmark(held));
    this.#held = isHeld ? held : undefined;
  }

  #mark(row: Row, mark: Mark): void {
    if (!this.#isSynced) return;
    const key = keyOf(row);
    this.#gone.delete(key);
    this.#freshMarks.set(key, mark);
  }

  #leave(row: Row): void {
    if (!this.#isSynced) return;
    const key = keyOf(row);
    this.#gone.set(key, row);
    const { uid, labels } = row.metadata;
    const markFor = (now: Row['metadata']['labels']): Mark => {
      const found = now === undefined ? { words: 'deleted', keys: [] } : labelDifference(labels, now);
      return { kind: 'leave', words: found.words || 'left', keys: found.keys };
    };
    const written = writtenLabels(uid);
    this.#freshMarks.set(key, markFor(written ?? labels ?? {}));
    if (written !== undefined) return;
    // The watch tells only the last state in the set.
    this.#leavers.read(row, (now) => {
      if (this.#marks.peek().get(key)?.kind !== 'leave') return;
      const mark = markFor(now);
      this.#marks.value = new Map(this.#marks.peek()).set(key, mark);
    });
  }

  /** Takes over what the set told since the last time, at most once a frame. */
  #show(): void {
    const set = this.#set;
    batch(() => {
      const rows = set.snapshot();
      const fresh = this.#freshMarks;
      this.#freshMarks = new Map();
      if (fresh.size > 0) this.#changedAt.value = Date.now();
      for (const [key, mark] of fresh) {
        if (mark.kind === 'enter') this.#held?.set(key, mark);
      }
      if (fresh.size > 0) {
        this.#marks.value = new Map([...this.#marks.peek(), ...fresh]);
        const entries = [...this.#leaving.peek()].filter(([key]) => fresh.get(key)?.kind !== 'enter');
        this.#leaving.value = new Map([...entries, ...this.#gone]);
        this.#gone = new Map();
        this.#later(MARKED, () => this.#unmark(fresh));
        this.#later(LEAVING, () => this.#remove(fresh));
      }
      this.#rows.value = rows;
      this.#columns.value = set.columns;
      this.#count.value = set.count;
      this.#complete.value = set.complete;
      this.#version.value = set.resourceVersion ?? '';
      const state = set.state === 'live' && watchState.value === 'asking' ? 'asking' : set.state;
      this.#state.value = state === 'stale' && watchState.value === 'resting' ? 'resting' : state;
      if (set.state === 'live') this.#error.value = undefined;
      if (set.state !== 'stale') {
        this.#staleSince.value = 0;
      } else if (this.#staleSince.peek() === 0) {
        this.#staleSince.value = Date.now();
      }
    });
  }

  #unmark(old: ReadonlyMap<string, Mark>): void {
    const left = [...this.#marks.peek()].filter(
      ([key, mark]) => mark.kind === 'leave' || old.get(key) !== mark || this.#held?.get(key) === mark,
    );
    this.#marks.value = new Map(left);
  }

  #remove(old: ReadonlyMap<string, Mark>): void {
    const leaving = new Map(this.#leaving.peek());
    const marks = new Map(this.#marks.peek());
    for (const [key, { kind }] of old) {
      if (kind !== 'leave' || marks.get(key)?.kind !== 'leave') continue;
      leaving.delete(key);
      marks.delete(key);
    }
    batch(() => {
      this.#leaving.value = leaving;
      this.#marks.value = marks;
    });
  }

  #later(time: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, time);
    this.#timers.add(timer);
  }
}
