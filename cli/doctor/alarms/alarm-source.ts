/** An alarm as CloudWatch has it. */
export interface FoundAlarm {
  readonly name: string;
  readonly arn: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** Since when it is in that state, in ms since 1970. */
  readonly since: number;
  /** Whether CloudWatch does anything at all when the state changes. */
  readonly isArmed: boolean;
  /** ARNs of the topics that are told when it goes off. */
  readonly topics: readonly string[];
  /** Whether they are told when nothing is measured: so only of what is measured every minute. */
  readonly tellsSilence: boolean;
  /** Its heading in docs/runbook.md, as in a link; empty where its description names none. */
  readonly heading: string;
}

/** A topic as SNS has it. */
export interface FoundTopic {
  readonly arn: string;
  /** JSON: who may publish. */
  readonly policy: string;
  /** Of KMS; empty where its messages are not encrypted with a key. */
  readonly key: string;
  /** Subscriptions, by whether somebody said yes to them. */
  readonly confirmed: number;
  readonly pending: number;
}

/** Where alarms are asked about. Each throws a Fault where the asker may not know. */
export interface AlarmSource {
  /** Of the alarms that the stack made, when it was deployed last; undefined: there is no such stack. */
  expected(): Promise<readonly string[] | undefined>;
  /** Those of the names that are there. */
  alarms(names: readonly string[]): Promise<readonly FoundAlarm[]>;
  /** Undefined: there is no such topic. */
  topic(arn: string): Promise<FoundTopic | undefined>;
}
