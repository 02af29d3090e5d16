/** What a {@link Fault} is made of. */
export interface FaultWords {
  /** What is wrong, as a sentence without its full stop. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
  /** The heading of the runbook that treats it, as in a link. */
  readonly runbook?: RunbookHeading;
}

/** The headings of docs/runbook.md that faults point to, as links write them. */
export const RUNBOOK_HEADINGS = [
  'deploy',
  'logging-in-does-not-work',
  'look',
  'alarms',
  'messages-in-eventsdeadletters',
  'messages-in-reconciledeadletters',
  'a-subscription-does-not-get-synced',
  'requests-are-answered-with-429',
  'requests-are-answered-with-504',
] as const;

export type RunbookHeading = (typeof RUNBOOK_HEADINGS)[number];

/** Something is not as it has to be. */
export class Fault extends Error {
  override name = 'Fault';
  readonly advice: string;
  readonly runbook: RunbookHeading | undefined;

  constructor({ what, advice, runbook }: FaultWords) {
    super(what);
    this.advice = advice;
    this.runbook = runbook;
  }
}

/** Whether something is as it has to be cannot be told from here; the message says why. */
export class UncheckedError extends Error {
  override name = 'UncheckedError';
}
