import { TooLargeError } from '../../json/index.ts';
import { type Pod, place } from '../../placement/index.ts';
import { type Logger, mapBounded, type Random } from '../../platform/index.ts';
import { SelectorError } from '../../selectors/index.ts';
import type { CachedWorld } from '../../server/index.ts';
import { ContentionError, LabelLimitError, type ObjectState } from '../../store/index.ts';
import { type BindOptions, bindPod } from './bind-pod.ts';
import { tellRefused, tellScheduled } from './report-placement.ts';
import type { WaitingPod, WaitingPods } from './waiting-pods.ts';

export interface RoundOptions extends BindOptions {
  readonly random: Random;
  readonly logger: Logger;
  /** Sends dispatch a hint of how far the journal of pods reaches. */
  readonly announce: (rv: number) => Promise<void>;
  /** The end of the round, in ms since the epoch. Trying pods is synchronous and lets no timer fire. */
  readonly until: number;
}

/** What the round reports about a pod. */
type Telling =
  | { readonly pod: ObjectState; readonly node: string }
  | { readonly waiting: WaitingPod; readonly message: string };

const TELL_AT_ONCE = 8;
/** The most reports that a round may leave for its end: they take some seconds of requests. */
const MOST_TOLD = 200;
/** Errors of single pods that were written before limits existed, or before selectors were validated. */
const UNFIT = [TooLargeError, LabelLimitError, SelectorError];

/**
 * Tries the pods that are ready, one after the other. Pods of higher priority choose first, and each bound pod counts
 * for the ones after it. Binding one at a time ensures that no two pods take the same room. Returns whether anything
 * was written.
 */
export async function bindRound(
  options: RoundOptions,
  { world, beside }: Pick<CachedWorld<WaitingPods>, 'world' | 'beside'>,
): Promise<boolean> {
  const tellings: Telling[] = [];
  try {
    for (const waiting of beside.ready()) {
      if (options.clock.now() >= options.until || tellings.length === MOST_TOLD) break;
      if (!beside.has(waiting)) continue;
      const telling = await tryPod(options, waiting, { world, beside });
      if (telling !== undefined) tellings.push(telling);
    }
  } finally {
    await mapBounded(tellings, TELL_AT_ONCE, (telling) => tell(options, beside, telling));
  }
  const newest = Math.max(0, ...tellings.map((one) => ('pod' in one ? one.pod.rv : 0)));
  if (newest > 0) await options.announce(newest);
  return tellings.length > 0;
}

async function tryPod(
  options: RoundOptions,
  waiting: WaitingPod,
  { world, beside }: Pick<CachedWorld<WaitingPods>, 'world' | 'beside'>,
): Promise<Telling | undefined> {
  const { state } = waiting;
  try {
    const { best, refused, message } = place(state.body as Pod, world);
    if (best === undefined) {
      beside.refuse(waiting, new Set(refused.map(({ rule }) => rule)));
      const { told } = waiting;
      const isTold = told?.message === message && options.clock.now() < told.until;
      return isTold ? undefined : { waiting, message };
    }
    const pod = await bindPod(options, state, best.node);
    if (pod === 'behind') {
      beside.postpone(waiting);
      return undefined;
    }
    if (pod === undefined) {
      beside.drop(waiting);
      return undefined;
    }
    world.set('Pod', pod.body as Pod);
    beside.wrote(state, pod);
    return { pod, node: best.node };
  } catch (error) {
    // A fault of one pod does not keep the others from being bound.
    const isBusy = error instanceof ContentionError;
    if (!isBusy && !UNFIT.some((one) => error instanceof one)) throw error;
    options.logger.warn('a pod could not be bound', { ...state.name, error });
    if (isBusy) {
      beside.postpone(waiting);
    } else {
      beside.refuse(waiting, new Set());
    }
    return undefined;
  }
}

/** A failure is harmless: a pod without its condition is tried and reported again. */
async function tell(options: RoundOptions, beside: WaitingPods, telling: Telling): Promise<void> {
  try {
    if ('pod' in telling) return await tellScheduled(options, telling.pod, telling.node);
    const { waiting, message } = telling;
    const outcome = await tellRefused(options, waiting.state, message);
    if (outcome === 'behind') return beside.postpone(waiting);
    const { kind, before, after } = outcome;
    if (kind !== 'none' && before !== undefined && after !== undefined) beside.wrote(before, after);
    beside.tellOf(waiting, message);
  } catch (error) {
    options.logger.warn('the event of a pod was not sent', { error });
    if ('waiting' in telling) beside.postpone(telling.waiting);
  }
}
