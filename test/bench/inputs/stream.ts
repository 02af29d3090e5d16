import { SeededRandom } from './random.ts';
import type { Labels, Workload } from './workload.ts';

/** One write: the labels before it and after it. They differ always, so both have to be matched. */
export type LabelEvent = readonly [before: Labels, after: Labels];
/** R: rollouts, whose objects share label sets. U: no two events are alike. */
export type StreamName = 'R' | 'U';
export const STREAMS: readonly StreamName[] = ['R', 'U'];

/** How many objects a rollout relabels, and how many rollouts are under way at one time. */
const ROLLOUT = 50;
const AT_ONCE = 200;

/** Part `part` of an endless stream; no part repeats another. */
export function createEvents(options: {
  workload: Workload;
  stream: StreamName;
  part: number;
  count: number;
}): LabelEvent[] {
  const { workload, stream, part, count } = options;
  const random = new SeededRandom(part * 2 + (stream === 'R' ? 1_000_000 : 2_000_001));
  return stream === 'R'
    ? rollouts(workload, random, { part, count })
    : strangers(workload, random, { part, count });
}

interface Part {
  readonly part: number;
  readonly count: number;
}

function strangers(workload: Workload, random: SeededRandom, { part, count }: Part): LabelEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const before = { ...workload.labels(random), object: `o${part}-${at}` };
    return [before, workload.relabel(before, random)];
  });
}

function rollouts(workload: Workload, random: SeededRandom, { part, count }: Part): LabelEvent[] {
  const events: LabelEvent[] = [];
  for (let wave = 0; events.length < count; wave++) {
    const changes = Array.from({ length: AT_ONCE }, (_, at): LabelEvent => {
      const before = { ...workload.labels(random), 'template-hash': `h${part}-${wave}-${at}-0` };
      return [before, { ...workload.relabel(before, random), 'template-hash': `h${part}-${wave}-${at}-1` }];
    });
    for (let object = 0; object < ROLLOUT; object++) events.push(...changes);
  }
  return events.slice(0, count);
}
