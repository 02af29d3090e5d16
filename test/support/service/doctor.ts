import { openAccess } from '../../../cli/connection/open-access.ts';
import type { Patience, Step } from '../../../cli/doctor/examination.ts';
import { type ExamineOptions, examine } from '../../../cli/doctor/examine.ts';
import { ALL_STEPS } from '../../../cli/doctor/steps/all-steps.ts';
import type { Outcome } from '../../../cli/doctor/take-step.ts';
import { startTamperingProxy, type Tampering } from './tampering-proxy.ts';

const silent = { begin: () => {}, end: () => {} };

export interface Examination {
  readonly outcomes: readonly Outcome[];
  /** `step: result` of all. */
  readonly results: readonly string[];
  /** The faults, by step. */
  readonly wrong: Readonly<Record<string, string>>;
}

/** The findings of `winnow doctor`. */
export async function doctor(url: string, options: Partial<ExamineOptions> = {}): Promise<Examination> {
  const outcomes = await examine({
    access: openAccess({ url }),
    listener: silent,
    interrupted: new AbortController().signal,
    ...options,
  });
  const faults = outcomes.filter(({ result }) => result === 'wrong');
  return {
    outcomes,
    results: outcomes.map(({ step, result }) => `${step}: ${result}`),
    wrong: Object.fromEntries(faults.map(({ step, note }) => [step, note])),
  };
}

/** One thing that goes wrong on the way, and what has to be said of it. */
export interface Case {
  readonly what: string;
  readonly when?: RegExp;
  readonly tampering?: () => Tampering;
  readonly patience?: Partial<Patience>;
  /** The user interrupts at this request. */
  readonly interruptAt?: RegExp;
  readonly wrong: Readonly<Record<string, unknown>>;
}

export interface Examined extends Examination {
  readonly requests: readonly string[];
}

/** Those that the others need, and the one that has to find something wrong. */
function stepsFor({ wrong }: Case): readonly Step[] {
  const found = Object.keys(wrong);
  return found.length === 0
    ? ALL_STEPS
    : ALL_STEPS.filter(({ name, required }) => required === true || found.includes(name));
}

/** Through a proxy of its own before the service at that URL. */
export async function examineCase(service: string, one: Case): Promise<Examined> {
  const { when, tampering, patience, interruptAt } = one;
  const own = await startTamperingProxy(service);
  own.tamper = (method, path) => (when?.test(`${method} ${path}`) ? tampering?.() : undefined);
  const interrupted = new AbortController();
  const running = doctor(own.url, { patience, steps: stepsFor(one), interrupted: interrupted.signal });
  if (interruptAt !== undefined) {
    await own.next(interruptAt);
    interrupted.abort(new Error('interrupted'));
  }
  const run = { ...(await running), requests: own.requests };
  await own.stop();
  return run;
}
