import type { AlarmSource, FoundAlarm, FoundTopic } from './alarm-source.ts';

/** The state that the alarm steps share. */
export class AlarmExamination {
  readonly stackName: string;
  readonly source: AlarmSource;
  /** In ms since the epoch. */
  readonly now: number;
  /** The names of the alarms in the stack. */
  expected: readonly string[] = [];
  /** The alarms that CloudWatch has. */
  alarms: readonly FoundAlarm[] = [];
  /** The topics by ARN; undefined if a topic does not exist. */
  readonly topics = new Map<string, FoundTopic | undefined>();

  constructor(stackName: string, source: AlarmSource, now = Date.now()) {
    this.stackName = stackName;
    this.source = source;
    this.now = now;
  }
}

/** One line of the report about alarms; see {@link Step} for the report about an endpoint. */
export interface AlarmStep {
  readonly name: string;
  /** Whether the following steps need this one. */
  readonly required?: boolean;
  run(examination: AlarmExamination): Promise<string>;
}
