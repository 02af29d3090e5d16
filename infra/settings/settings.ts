import type { GuardedSetting } from '../../lib/guarded-settings/index.ts';
import type { Derivable } from '../../lib/platform/index.ts';
import type { BillingSettings } from '../billing.ts';

/**
 * The settings of a deployment, with their values as read. `table.ts` describes each one and how it is read.
 * No setting removes the login from a route.
 */
export interface Settings extends BillingSettings {
  readonly stackName: string;
  /** Default: the stack's name in lower case. */
  readonly prefix: string | undefined;
  /** ARNs; default: the principal that deploys. */
  readonly principals: readonly string[] | undefined;
  /** ARNs and account ids, `own` for the account of the stack; default: none. */
  readonly members: readonly string[] | undefined;
  readonly streaming: boolean;
  readonly destroyable: boolean;
  readonly dashboard: boolean;
  readonly placement: boolean;
  /** Default: `winnow`. */
  readonly schedulerName: string | undefined;
  /** The path of a file. */
  readonly addedAffinity: string | undefined;
  /** 0 to 100; default: 1. */
  readonly hardPodAffinityWeight: number | undefined;
  /** Default: `INFO`. */
  readonly logLevel: string | undefined;
  readonly derived: readonly Derivable[];
  /** An IPv4 network; default: `10.96.0.0/12`. */
  readonly serviceClusterIPRange: string | undefined;
  /** An ARN; undefined: the stack creates a table. */
  readonly tableStream: string | undefined;
  /** `managed` or an ARN; undefined: keys of AWS. */
  readonly key: string | undefined;
  /** The path of a file; undefined: Winnow writes no audit events. */
  readonly webhooks: string | undefined;
  readonly auditPolicy: string | undefined;
  /** An ARN; undefined: audit events go to the log only. */
  readonly auditQueue: string | undefined;
  /** In days; undefined: the log groups of the functions hold audit events for a month. */
  readonly auditLogRetention: number | undefined;
  /** `managed` or an ARN; undefined: keys of AWS. */
  readonly auditLogKey: string | undefined;
  /** The path of a file; undefined: only AWS principals can log in. */
  readonly authenticationConfig: string | undefined;
  readonly serviceAccountTokens: boolean;
  /** Counts only with `serviceAccountTokens`. */
  readonly serviceAccountAdmission: boolean;
  readonly canary: boolean;
  /** Undefined: those of a new table in DynamoDB. */
  readonly warmWriteUnits: number | undefined;
  /** Default: 1. */
  readonly historyDays: number | undefined;
  /** Undefined: no limit. */
  readonly watchesPerUser: number | undefined;
  /** Requests per second and burst, such as `50/200`, or `off`. */
  readonly requestsPerUser: string;
  /** For all users together; default: 1,000. */
  readonly requestRate: number | undefined;
  /** Default: 2,000. */
  readonly requestBurst: number | undefined;
  /** Ids; undefined: the endpoint is public. */
  readonly vpcEndpoints: readonly string[] | undefined;
  /** Networks and ids of VPCs; undefined: every source. */
  readonly allowedSources: readonly string[] | undefined;
  /** An ARN; undefined: no web ACL. */
  readonly webAcl: string | undefined;
  /** `off`, `on`, or numbers by function. */
  readonly reservedConcurrency: string;
  /** Default: `winnow.config.json`, if it exists. */
  readonly configFile: string | undefined;
  /** The guarded settings that this deployment may change with a loss. */
  readonly confirmChange: readonly GuardedSetting[];
  /** In the form of `readAccountBound`; default: `own`. */
  readonly consumers: string | undefined;
  readonly enforceLimits: boolean;
  readonly selectorBytes: number | undefined;
  readonly selectorBytesPerNamespace: number | undefined;
  readonly selectorBytesPerCollection: number | undefined;
  readonly subscriptionsPerNamespace: number | undefined;
  readonly talliesPerNamespace: number | undefined;
  /** A time; default: `30d`. */
  readonly authorNotSeenAfter: string | undefined;
  /** The name of an emulator: see `emulators.ts`. */
  readonly emulator: string | undefined;
  /** The URL of an emulator's STS. */
  readonly stsEndpoint: string | undefined;
}
