import {
  CelError,
  ListValue,
  MapValue,
  MutableList,
  MutableMap,
  typeNameOf,
  type Value,
} from '../values/index.ts';
import type { LoopState, Run, Step } from './step.ts';

/** The parts of a comprehension. */
export interface LoopParts {
  /** The place of the comprehension's variables in `Run.loops`. */
  readonly slot: number;
  readonly range: Step;
  readonly hasTwoVariables: boolean;
  readonly start: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/** A comprehension. It costs nothing itself: its condition, step and result do. */
export class LoopStep implements Step {
  readonly #parts: LoopParts;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  evaluate(run: Run): Value {
    const { range, slot, result, hasTwoVariables } = this.#parts;
    const value = range.evaluate(run);
    if (value instanceof CelError) return value;
    const state: LoopState = {
      accumulator: null,
      variable: null,
      variable2: null,
      initialized: false,
      mutable: false,
    };
    run.loops[slot] = state;
    if (value instanceof ListValue) {
      this.#overList(run, state, value);
    } else if (value instanceof MapValue) {
      this.#overMap(run, state, value);
    } else {
      const what = hasTwoVariables
        ? 'unsupported comprehension range type: '
        : 'expected iterable type, got ';
      return new CelError(`${what}${typeNameOf(value)}`);
    }
    const end = result.evaluate(run);
    return state.mutable && (end instanceof MutableList || end instanceof MutableMap) ? end.freeze() : end;
  }

  #overList(run: Run, state: LoopState, list: ListValue): void {
    const { size } = list;
    const { hasTwoVariables } = this.#parts;
    for (let at = 0; at < size; at += 1) {
      state.variable = hasTwoVariables ? BigInt(at) : list.get(at);
      if (hasTwoVariables) state.variable2 = list.get(at);
      if (!this.#iterate(run, state)) return;
    }
  }

  #overMap(run: Run, state: LoopState, map: MapValue): void {
    for (const key of map.keys()) {
      state.variable = key;
      if (this.#parts.hasTwoVariables) state.variable2 = map.find(key) ?? null;
      if (!this.#iterate(run, state)) return;
    }
  }

  /** Returns false if the condition ends the loop. An error in the condition does not. */
  #iterate(run: Run, state: LoopState): boolean {
    run.meter.work(1);
    if (this.#parts.condition.evaluate(run) === false) return false;
    state.accumulator = this.#parts.step.evaluate(run);
    state.initialized = true;
    return true;
  }

  /** Returns the accumulator. Its first value is computed when it is first read, and is free if it never is. */
  accumulator(run: Run): Value {
    const state = stateAt(run, this.#parts.slot);
    if (state.initialized) return state.accumulator;
    state.initialized = true;
    const start = this.#parts.start.evaluate(run);
    const empty = emptyLike(start);
    state.mutable = empty !== undefined;
    state.accumulator = empty ?? start;
    return state.accumulator;
  }
}

/** Returns an empty list or map to which the steps may append; undefined for other values. */
function emptyLike(value: Value): Value | undefined {
  if (value instanceof ListValue && value.size === 0) return new MutableList();
  return value instanceof MapValue && value.size === 0 ? new MutableMap() : undefined;
}

/** Returns the variables of a comprehension that runs. */
export function stateAt(run: Run, slot: number): LoopState {
  const state = run.loops[slot];
  if (state === undefined) throw new Error(`no comprehension runs in slot ${slot}`);
  return state;
}
