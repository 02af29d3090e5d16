/** The parts of a {@link Fault}. */
export interface FaultWords {
  /** What is wrong: a sentence without its full stop. */
  readonly what: string;
  /** What the user can do about it: a sentence, with or without its full stop. */
  readonly advice: string;
  /** The anchor of the heading in docs/runbook.md that describes it. */
  readonly runbook?: RunbookHeading;
}

/** The anchors of the headings in docs/runbook.md that faults link to. */
export const RUNBOOK_HEADINGS = [
  'deploy',
  'logging-in-does-not-work',
  'look',
  'alarms',
  'messages-that-were-set-aside',
  'a-subscription-does-not-get-synced',
  'requests-are-answered-with-429',
  'requests-are-answered-with-504',
] as const;

export type RunbookHeading = (typeof RUNBOOK_HEADINGS)[number];

/** An error that tells the user what is wrong and what to do about it. */
export class Fault extends Error {
  override name = 'Fault';
  readonly advice: string;
  readonly runbook: RunbookHeading | undefined;

  constructor({ what, advice, runbook }: FaultWords) {
    super(what);
    this.advice = advice;
    this.runbook = runbook;
  }

  /** The lines that tell the user what to do: the advice as a sentence, and a reference to the runbook. */
  get help(): readonly string[] {
    const sentence = /[.?]$/.test(this.advice) ? this.advice : `${this.advice}.`;
    return this.runbook === undefined ? [sentence] : [sentence, `See docs/runbook.md#${this.runbook}`];
  }
}

/** A check that could not be made; the message says why. */
export class UncheckedError extends Error {
  override name = 'UncheckedError';
}
