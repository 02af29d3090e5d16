import { conditionOf, type SetStatus } from '../sets/index.ts';

/** What a phase means. */
export interface PhaseWords {
  readonly tone: 'enter' | 'change' | 'leave' | 'muted';
  readonly meaning: string;
  /** What the user can do. Empty if there is nothing to do. */
  readonly advice: string;
}

const PENDING: PhaseWords = {
  tone: 'change',
  meaning: 'The queue does not exist yet, or Winnow has just created it.',
  advice:
    'This takes some seconds. With a queue of your own, put the token from the queue into spec.queue.token.',
};

const WORDS: Readonly<Record<string, PhaseWords>> = {
  Pending: PENDING,
  CatchingUp: {
    tone: 'change',
    meaning: 'Winnow sends the snapshot, an edit or older changes. Later changes follow.',
    advice: '',
  },
  Synced: { tone: 'enter', meaning: 'Winnow sends each change as it happens.', advice: '' },
  Failing: {
    tone: 'leave',
    meaning: 'The queue rejects messages or does not answer. Winnow tries again, with growing pauses.',
    advice:
      'Check the queue and its policy. Changes wait for 24 hours; after that, the queue gets an ERROR and a new snapshot.',
  },
  Suspended: {
    tone: 'muted',
    meaning: 'Winnow sends nothing.',
    advice: 'Resume it within 24 hours: delivery then continues after the last change that was sent.',
  },
};

/** Says what the phase of a Subscription means, and what to do. */
export function phaseWords(status: SetStatus | undefined, isSuspended: boolean): PhaseWords {
  const words = WORDS[status?.phase ?? ''] ?? PENDING;
  if (status?.phase !== 'Suspended' || isSuspended) return words;
  const stopped = ['Authorized', 'WithinLimits'].find(
    (type) => conditionOf(status, type)?.status === 'False',
  );
  if (stopped === undefined) return words;
  return { ...words, advice: `The condition ${stopped} below says why, and what has to change.` };
}

/** The lag of a Subscription in words. */
export function lagText(lag: { readonly changes: number; readonly seconds: number } | undefined): string {
  if (lag === undefined) return '–';
  if (lag.changes === 0) return 'none';
  const changes = `${lag.changes.toLocaleString('en')} ${lag.changes === 1 ? 'change' : 'changes'}`;
  return `${changes} · ${durationText(lag.seconds)}`;
}

/** The time of day of an RFC 3339 time. */
export function timeOf(time: string): string {
  return new Date(time).toLocaleTimeString();
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
