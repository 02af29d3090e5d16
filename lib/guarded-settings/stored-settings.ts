/**
 * The guarded settings as a stack stores them: the properties of a custom resource. CloudFormation converts each value
 * to text, so each property is a text or a list of texts. An empty text means that the setting is not set.
 */
export interface StoredSettings {
  /** The logical id of the stack's own table; empty if the stack uses another table. */
  readonly table: string;
  /** The ARN of the stream of the table that the stack uses instead. */
  readonly tableStream: string;
  /** `true` or `false`. */
  readonly destroyable: string;
  /** The prefix of the names of the queues of Subscriptions. */
  readonly prefix: string;
  /** The ARNs of the administrators. */
  readonly principals: readonly string[];
  /** `managed`, or an ARN. */
  readonly key: string;
  /** `true` or `false`. If it becomes `false`, the stack deletes the key that signs the tokens. */
  readonly serviceAccountTokens: string;
  /** `on` if the audit policy writes any event. */
  readonly auditPolicy: string;
  /** The ARN of a queue. */
  readonly auditQueue: string;
  /** The retention in days. */
  readonly auditLogRetention: string;
  /** `managed`, or an ARN. */
  readonly auditLogKey: string;
}

/** The settings that `confirmChange` can name, in the order of the documentation. */
export const GUARDED = [
  'prefix',
  'principals',
  'destroyable',
  'tableStream',
  'key',
  'auditPolicy',
  'auditQueue',
  'auditLogRetention',
  'auditLogKey',
  'serviceAccountTokens',
] as const satisfies readonly (keyof StoredSettings)[];

export type GuardedSetting = (typeof GUARDED)[number];
