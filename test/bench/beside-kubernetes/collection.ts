import type { JsonObject } from '../../../lib/json/index.ts';
import { podOf as listedPod } from '../list/list-objects.ts';
import { UsageError } from '../options.ts';
import type { Side } from './sides.ts';

export const PODS = '/api/v1/namespaces/default/pods';
/** The label that is changed. Its first value is `p0`. */
export const CHANGED_KEY = 'phase';
/** The fewest objects that a size may add: each size has its own 10 and 90 matches. */
const FEWEST_MORE = 1_000;
/** One object in so many lacks the label `most`. */
const LACKS_MOST = 10;
const TIERS = 4;
const APPS = 20;
const AT_ONCE = 16;

/** The growth of the collection to one of its sizes: the objects from `from` on, below `to`. */
export interface Stage {
  readonly from: number;
  readonly to: number;
}

/** @throws {UsageError} the sizes do not grow by 1,000 objects or more. */
export function stagesOf(sizes: readonly number[]): readonly Stage[] {
  const stages = sizes.map((to, at) => ({ from: sizes[at - 1] ?? 0, to }));
  if (stages.every(({ from, to }) => to - from >= FEWEST_MORE)) return stages;
  throw new UsageError(`sizes: each has to be ${FEWEST_MORE} or more above the one before`);
}

export function nameOf(index: number): string {
  return `pod-${String(index).padStart(7, '0')}`;
}

/**
 * The labels of an object. Of the objects that a stage adds, 10 have the label `ten` and 90 others the label `ninety`,
 * evenly spread, with the value `sSIZE`. Of each size, nine tenths have `most`, and three quarters a `tier` that is not
 * `t3`.
 */
export function labelsOf(index: number, { from, to }: Stage): Readonly<Record<string, string>> {
  const place = index - from;
  const isOneOf = (count: number, offset: number) => {
    const step = Math.floor((to - from) / count);
    return place % step === offset && Math.floor(place / step) < count;
  };
  return {
    app: `app-${index % APPS}`,
    tier: `t${index % TIERS}`,
    [CHANGED_KEY]: 'p0',
    ...(index % LACKS_MOST !== 0 && { most: 'yes' }),
    ...(isOneOf(10, 0) && { ten: `s${to}` }),
    ...(isOneOf(90, 1) && { ninety: `s${to}` }),
  };
}

/** A pod with three containers, as a client creates it. */
export function podOf(name: string, labels: Readonly<Record<string, string>>): JsonObject {
  const { apiVersion = '', kind = '', spec = {} } = listedPod({ namespace: 'default', name }, '', labels);
  return { apiVersion, kind, metadata: { name, labels: { ...labels } }, spec };
}

/** Creates the objects of a stage. */
export async function load({ client }: Side, stage: Stage): Promise<void> {
  const indexes = Array.from({ length: stage.to - stage.from }, (_, at) => stage.from + at).values();
  const create = async () => {
    for (const index of indexes) {
      await client.ask('POST', PODS, { body: podOf(nameOf(index), labelsOf(index, stage)) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
}
