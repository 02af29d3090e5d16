import { median } from '../report.ts';
import type { Task } from './tasks.ts';

/** What one task took: the steps of the user, and the seconds that the user waited for the program. */
export interface Taken {
  readonly steps: number;
  readonly seconds: number;
}

/** The results of one program, by task. A task that it never completed has none. */
export class Results {
  readonly #taken = new Map<Task, Taken[]>();

  add(task: Task, taken: Taken): void {
    this.#taken.set(task, [...(this.#taken.get(task) ?? []), taken]);
  }

  /** The medians of all rounds. Undefined if the program never completed the task. */
  of(task: Task): Taken | undefined {
    const all = this.#taken.get(task);
    if (all === undefined) return undefined;
    return {
      steps: median(all.map(({ steps }) => steps)),
      seconds: median(all.map(({ seconds }) => seconds)),
    };
  }
}

/** Whether a result is ahead of another one: less time, and not more steps. A missing result is behind. */
export function isAhead(ours: Taken | undefined, theirs: Taken | undefined): boolean {
  if (ours === undefined) return false;
  return theirs === undefined || (ours.seconds < theirs.seconds && ours.steps <= theirs.steps);
}
