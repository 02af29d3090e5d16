import type { AlarmSource, FoundAlarm, FoundTopic } from './alarm-source.ts';

/** What the steps hand to each other. */
export class AlarmExamination {
  readonly stackName: string;
  readonly source: AlarmSource;
  /** ms since 1970. */
  readonly now: number;
  /** Names of those that the stack made. */
  expected: readonly string[] = [];
  /** Those that are there. */
  alarms: readonly FoundAlarm[] = [];
  /** By ARN; undefined where one is gone. */
  readonly topics = new Map<string, FoundTopic | undefined>();

  constructor(stackName: string, source: AlarmSource, now = Date.now()) {
    this.stackName = stackName;
    this.source = source;
    this.now = now;
  }
}

/** One line of the table, as a {@link Step} of the other examination. */
export interface AlarmStep {
  readonly name: string;
  /** Without it, nothing that follows can be checked. */
  readonly required?: boolean;
  run(examination: AlarmExamination): Promise<string>;
}
