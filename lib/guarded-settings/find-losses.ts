import { GUARDED, type GuardedSetting, type StoredSettings } from './stored-settings.ts';

/** A guarded setting whose change would lose something. */
export interface Loss {
  readonly setting: GuardedSetting;
  /** The message about the loss, with the old value and the new one. */
  readonly message: string;
}

/** Returns the loss by the change of a setting; undefined if there is none. */
type Rule = (before: StoredSettings, after: StoredSettings) => string | undefined;

const RULES: Readonly<Record<GuardedSetting, Rule>> = {
  tableStream: tableLoss,
  destroyable: (before, after) =>
    before.destroyable !== 'true' && after.destroyable === 'true'
      ? 'it is false, and would be true: `cdk destroy` would delete the table with everything in it'
      : undefined,
  prefix: (before, after) =>
    before.prefix === '' || before.prefix === after.prefix
      ? undefined
      : `it is ${before.prefix}, and would be ${after.prefix}: Winnow could no longer send to the queues of existing Subscriptions, and tokens for the old cluster id would be refused`,
  principals: (before, after) => {
    const removed = before.principals.filter((arn) => !after.principals.includes(arn));
    if (removed.length === 0) return undefined;
    return `${removed.join(', ')} would no longer be an administrator; the administrators would be: ${after.principals.join(', ') || 'nobody'}`;
  },
  key: (before, after) => {
    if (before.key === '' || before.key === after.key) return undefined;
    return `it is ${before.key}, and would be ${after.key || 'a key of AWS'}: table and queues would no longer be encrypted with the key that you chose`;
  },
  auditPolicy: (before, after) =>
    before.auditPolicy !== '' && after.auditPolicy === ''
      ? 'it is set, and would be unset: Winnow would write no audit events'
      : undefined,
  auditQueue: (before, after) => {
    if (before.auditQueue === '' || before.auditQueue === after.auditQueue) return undefined;
    return `it is ${before.auditQueue}, and would be ${after.auditQueue || 'unset'}: ${before.auditQueue} would get no more audit events`;
  },
  auditLogRetention: (before, after) => {
    const [days, kept] = [Number(before.auditLogRetention), Number(after.auditLogRetention)];
    if (kept >= days) return undefined;
    return kept === 0
      ? `it is ${days}, and would be unset: audit events would no longer go into a log group that survives the stack`
      : `it is ${days}, and would be ${kept}: CloudWatch Logs would delete the older audit events`;
  },
  auditLogKey: (before, after) => {
    if (before.auditLogKey === '' || before.auditLogKey === after.auditLogKey) return undefined;
    return `it is ${before.auditLogKey}, and would be ${after.auditLogKey || 'a key of AWS'}: the audit log would no longer be encrypted with the key that you chose`;
  },
  serviceAccountTokens: (before, after) =>
    before.serviceAccountTokens === 'true' && after.serviceAccountTokens !== 'true'
      ? 'it is true, and would be false: the key that signs the tokens would be deleted, and every token refused'
      : undefined,
};

/** Returns the losses by a change of settings, without those that `confirmed` names. */
export function findLosses(
  before: StoredSettings,
  after: StoredSettings,
  confirmed: readonly string[],
): readonly Loss[] {
  return GUARDED.filter((setting) => !confirmed.includes(setting)).flatMap((setting) => {
    const message = RULES[setting](before, after);
    return message === undefined ? [] : [{ setting, message }];
  });
}

function tableLoss(before: StoredSettings, after: StoredSettings): string | undefined {
  if (before.tableStream === after.tableStream && before.table === after.table) return undefined;
  return `the stack uses ${tableOf(before)}, and would use ${tableOf(after)}: the API would no longer serve the objects of the first table`;
}

function tableOf({ table, tableStream }: StoredSettings): string {
  return tableStream === '' ? `its own table ${table}` : `the table of ${tableStream}`;
}
