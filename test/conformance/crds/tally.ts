import { type Entry, nameOf } from './read-folder.ts';
import { type Judged, type Verdict, verdictOf, type What } from './replay.ts';

/** The most characters of a message in a report. */
const SHOWN = 600;

interface Count {
  same: number;
  judged: number;
  unjudged: number;
}

/** The verdicts by project. It prints each difference when it is found. */
export class Tally {
  readonly #counts = new Map<string, Map<What, Count>>();

  add({ what, entry, ours, message }: Judged): void {
    const count = this.#countOf(entry, what);
    if (entry.kube === undefined) {
      count.unjudged += 1;
      console.log(`${entry.project} ${what}: ${nameOf(entry)}: Winnow ${told(ours, message)}`);
      return;
    }
    count.judged += 1;
    const theirs = verdictOf(entry.kube);
    count.same += Number(theirs === ours);
    if (theirs === ours) return;
    console.log(`DIFFERENT ${entry.project} ${what}: ${nameOf(entry)}
  kube-apiserver ${told(theirs, entry.message)}
  Winnow ${told(ours, message)}`);
  }

  #countOf({ project }: Entry, what: What): Count {
    const counts = this.#counts.get(project) ?? new Map<What, Count>();
    this.#counts.set(project, counts);
    const count = counts.get(what) ?? { same: 0, judged: 0, unjudged: 0 };
    counts.set(what, count);
    return count;
  }

  /** Prints the counts. @returns the exit code */
  report(): number {
    let [same, judged, unjudged] = [0, 0, 0];
    for (const [project, counts] of this.#counts) {
      const parts = [...counts].map(([what, count]) => {
        same += count.same;
        judged += count.judged;
        unjudged += count.unjudged;
        const more = count.unjudged === 0 ? '' : ` and ${count.unjudged} without an answer of kube-apiserver`;
        return `${what} ${count.same}/${count.judged}${more}`;
      });
      console.log(`${project.padEnd(24)}${parts.join('   ')}`);
    }
    const more = unjudged === 0 ? '' : `; ${unjudged} without an answer of kube-apiserver`;
    console.log(`${same} of ${judged} verdicts agree with kube-apiserver${more}`);
    return same === judged ? 0 : 1;
  }
}

function told(verdict: Verdict, message: string): string {
  const text = message.trim().replace(/\s+/g, ' ').slice(0, SHOWN);
  return verdict === 'accepted' || text === '' ? verdict : `${verdict}: ${text}`;
}
