/** Our match index, as a peer of the `match` bench. */
import { HandleIndex, type HandleRange, type Labels, parseSelector } from '../../../lib/selectors/index.ts';
import { CHANGED, Checksum, ENTERED, LEFT } from './checksum.ts';
import { collectGarbage, usedBytes } from './heap.ts';
import { readLines, readSelectors } from './lines.ts';
import type { Built, Churned, Command, Ran } from './protocol.ts';
import { serve } from './serve.ts';

type Event = readonly [before: { readonly labels: Labels }, after: { readonly labels: Labels }];

let index = new HandleIndex();
let subscriptions = '';
let events: readonly Event[] = [];
let checksum = new Checksum(0);

await serve((command: Command) => {
  switch (command.do) {
    case 'build':
      return build(command.file);
    case 'events':
      events = readLines(command.file).map(toEvent);
      collectGarbage();
      return { events: events.length };
    case 'warm':
      return run(command.milliseconds);
    case 'run':
      return run(command.milliseconds, command.events);
    case 'found':
      return checksum.after(command.events);
    case 'churn':
      return churn(command.ids);
    default:
      throw new Error(`unknown command ${command.do}`);
  }
});

function build(file: string): Built {
  subscriptions = file;
  const base = usedBytes();
  const milliseconds = fill(readSelectors(file));
  return { milliseconds, bytes: usedBytes() - base };
}

function fill(selectors: readonly string[]): number {
  const start = performance.now();
  index = new HandleIndex();
  for (const [id, text] of selectors.entries()) add(id, text);
  return performance.now() - start;
}

function run(milliseconds: number, most = events.length): Ran {
  checksum = new Checksum(events.length);
  const start = performance.now();
  const deadline = start + milliseconds;
  let done = 0;
  for (const [before, after] of events) {
    const { entered, changed, left } = index.match(before, after);
    checksum.add(
      lengthOf(entered) + lengthOf(changed) + lengthOf(left),
      hash(entered, ENTERED) + hash(changed, CHANGED) + hash(left, LEFT),
    );
    done++;
    if (done === most || ((done & 15) === 0 && performance.now() > deadline)) break;
  }
  return { events: done, nanoseconds: (performance.now() - start) * 1e6 };
}

/** Handles are given in order, so the handle is the subscription's number, as it is the rule's name in event-ruler. */
function add(id: number, text: string): void {
  const handle = index.add({ selector: parseSelector(text) });
  if (handle !== id) throw new Error(`subscription ${id} has the handle ${handle}`);
}

function hash({ handles: found, start, end }: HandleRange, transition: number): number {
  let sum = end - start;
  for (let at = start; at < end; at++) sum = (sum + (found[at] as number)) | 0;
  return Math.imul(sum, transition);
}

function churn(churned: readonly number[]): Churned {
  const selectors = readSelectors(subscriptions);
  // What was removed last is added first: the handle freed last is given first.
  const texts = churned.toReversed().map((id) => [id, selectors[id] ?? ''] as const);
  const start = performance.now();
  for (const id of churned) index.remove(id);
  const removed = performance.now();
  for (const [id, text] of texts) add(id, text);
  const added = performance.now();
  return {
    remove: ((removed - start) * 1000) / churned.length,
    add: ((added - removed) * 1000) / churned.length,
  };
}

function toEvent(line: string): Event {
  const [before, after] = JSON.parse(line) as readonly [Labels, Labels];
  return [{ labels: before }, { labels: after }];
}

function lengthOf({ start, end }: HandleRange): number {
  return end - start;
}
