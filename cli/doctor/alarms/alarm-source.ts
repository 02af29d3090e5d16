/** An alarm in CloudWatch. */
export interface FoundAlarm {
  readonly name: string;
  readonly arn: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** When it entered that state, in ms since the epoch. */
  readonly since: number;
  /** Whether its actions are enabled. */
  readonly isArmed: boolean;
  /** The ARNs of the topics that it notifies in state ALARM. */
  readonly topics: readonly string[];
  /**
   * Whether the alarm also notifies the topics when it has no data. Alarms on metrics that arrive every
   * minute do so.
   */
  readonly tellsSilence: boolean;
  /** The anchor of its heading in docs/runbook.md; empty if its description names none. */
  readonly heading: string;
}

/** A topic in SNS. */
export interface FoundTopic {
  readonly arn: string;
  /** The access policy as JSON. */
  readonly policy: string;
  /** The KMS key that encrypts its messages; empty if there is none. */
  readonly key: string;
  /** The numbers of confirmed and unconfirmed subscriptions. */
  readonly confirmed: number;
  readonly pending: number;
}

/** Reads alarms and topics. Each method throws a Fault if the credentials lack the permission. */
export interface AlarmSource {
  /** The names of the alarms in the stack's last deployment; undefined if the stack does not exist. */
  expected(): Promise<readonly string[] | undefined>;
  /** The alarms among these names that exist. */
  alarms(names: readonly string[]): Promise<readonly FoundAlarm[]>;
  /** Undefined if the topic does not exist. */
  topic(arn: string): Promise<FoundTopic | undefined>;
}
