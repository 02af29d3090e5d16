import { parseArgs } from 'node:util';
import { STREAMS, type StreamName } from './inputs/stream.ts';
import { WORKLOADS, type WorkloadName } from './inputs/workload.ts';

export interface Options {
  readonly json: boolean;
  readonly quick: boolean;
  readonly subscriptions: readonly number[];
  readonly workloads: readonly WorkloadName[];
  readonly streams: readonly StreamName[];
  /** Sizes of the collections that are listed. */
  readonly objects: readonly number[];
  /** Sizes of the crowds that subscribe at once. */
  readonly crowds: readonly number[];
  /** Numbers of subscriptions that are told one change at a time, ascending. */
  readonly subscribers: readonly number[];
  /** Sizes of the clusters that pods are placed in. */
  readonly nodes: readonly number[];
  /** Numbers of selectors of which it is asked who selects an object. */
  readonly selectors: readonly number[];
  /** Sizes of the collections whose labels are counted; undefined: those of the bench. */
  readonly facets: readonly number[] | undefined;
  /** Of delivery, only what queues that fail do to the others. */
  readonly failing: boolean;
  /** Of watch, only through the table. */
  readonly 'no-signal': boolean;
  /** Of placement, only what the first answer of a process takes. */
  readonly cold: boolean;
  /** The folder of another version of the project, to be measured in turns with this one. */
  readonly beside: string | undefined;
  /** A clone of Headlamp's repository, from which `consoles` builds it. */
  readonly headlamp: string | undefined;
  /** Of `consoles`, only the console of Winnow. */
  readonly alone: boolean;
  /** Of `beside-kubernetes`, the sizes of the listed collection, ascending. */
  readonly sizes: readonly number[];
  /** Of `beside-kubernetes`, only where the CPU time of Winnow goes. */
  readonly profile: boolean;
}

export const USAGE = `usage: npm run bench -- selectors [--json] [--quick]
       npm run bench -- match [--json] [--quick] [--subscriptions 1000,10000,100000,1000000]
                              [--workload A,B,C,D] [--stream R,U]
       npm run bench -- list [--json] [--quick] [--objects 1000,10000,100000,300000]
       npm run bench -- cold [--json] [--quick]
       npm run bench -- request [--json] [--quick] [--beside FOLDER]
       npm run bench -- decode [--json] [--quick]
       npm run bench -- delivery [--json] [--quick] [--crowds 300,600,1000] [--subscribers 1,100,1000] [--failing]
       npm run bench -- watch [--json] [--quick] [--no-signal]
       npm run bench -- placement [--json] [--quick] [--nodes 100,1000,5000] [--cold]
       npm run bench -- selects [--json] [--quick] [--selectors 1,1000,100000]
       npm run bench -- facets [--json] [--quick] [--objects 1000,100000]
       npm run bench -- access [--json] [--quick]
       npm run bench -- ceiling [--json] [--quick]
       npm run bench -- history [--json] [--quick] [--objects 1000,100000]
       npm run bench -- objects [--json] [--quick]
       npm run bench -- console [--json] [--quick]
       npm run bench -- consoles [--json] [--quick] [--alone] [--headlamp FOLDER]
       npm run bench -- beside-kubernetes [--json] [--quick] [--sizes 1000,10000,50000] [--profile]`;

export class UsageError extends Error {}

/** @throws UsageError for what the usage does not offer */
export function readOptions(words: readonly string[]): Options {
  const { subscriptions, workload, stream, objects, crowds, subscribers, nodes, selectors, sizes, ...given } =
    parse(words);
  const { quick } = given;
  return {
    ...given,
    subscriptions: toCounts(subscriptions ?? (quick ? '1000,10000' : '1000,10000,100000,1000000')),
    workloads: choose('workload', workload, WORKLOADS),
    streams: choose('stream', stream, STREAMS),
    facets: objects === undefined ? undefined : toCounts(objects),
    objects: toCounts(objects ?? (quick ? '1000,10000' : '1000,10000,100000')),
    crowds: toCounts(crowds ?? (quick ? '20,40' : '300,600,1000')),
    subscribers: toCounts(subscribers ?? (quick ? '1,20' : '1,100,1000')),
    nodes: toCounts(nodes ?? (quick ? '100,1000' : '100,1000,5000')),
    selectors: toCounts(selectors ?? (quick ? '1,1000' : '1,1000,100000')),
    sizes: toCounts(sizes ?? (quick || given.profile ? '1000' : '1000,10000,50000')),
    beside: given.beside,
    headlamp: given.headlamp,
  };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        json: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        failing: { type: 'boolean', default: false },
        'no-signal': { type: 'boolean', default: false },
        cold: { type: 'boolean', default: false },
        alone: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        subscriptions: { type: 'string' },
        workload: { type: 'string' },
        stream: { type: 'string' },
        objects: { type: 'string' },
        crowds: { type: 'string' },
        subscribers: { type: 'string' },
        nodes: { type: 'string' },
        selectors: { type: 'string' },
        sizes: { type: 'string' },
        beside: { type: 'string' },
        headlamp: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function toCounts(text: string): number[] {
  return text.split(',').map((part) => {
    const count = Number(part);
    if (!Number.isInteger(count) || count < 1) throw new UsageError(`not a count: ${part}`);
    return count;
  });
}

function choose<Name extends string>(
  option: string,
  text: string | undefined,
  offered: readonly Name[],
): readonly Name[] {
  if (text === undefined) return offered;
  return text.split(',').map((wanted) => {
    const found = offered.find((name) => name === wanted.toUpperCase());
    if (found === undefined) throw new UsageError(`no such ${option}: ${wanted}`);
    return found;
  });
}
