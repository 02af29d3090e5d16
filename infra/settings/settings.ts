import type { GuardedSetting } from '../../lib/guarded-settings/index.ts';
import type { Derivable } from '../../lib/platform/index.ts';
import type { BillingSettings } from '../billing.ts';

/**
 * What a deployer chooses, after it is read. `table.ts` describes each one and says how it is read.
 * No setting opens a route without a login: there is always one.
 */
export interface Settings extends BillingSettings {
  readonly stackName: string;
  /** Undefined: the stack's name in lower case. */
  readonly prefix: string | undefined;
  /** ARNs; undefined: the principal that deploys. */
  readonly principals: readonly string[] | undefined;
  /** ARNs and account ids, `own` for the account of the stack; undefined: nobody else. */
  readonly members: readonly string[] | undefined;
  readonly streaming: boolean;
  readonly destroyable: boolean;
  readonly dashboard: boolean;
  readonly placement: boolean;
  /** Undefined: `winnow`. */
  readonly schedulerName: string | undefined;
  /** A file. */
  readonly addedAffinity: string | undefined;
  /** 0 to 100; undefined: 1. */
  readonly hardPodAffinityWeight: number | undefined;
  /** Undefined: `INFO`. */
  readonly logLevel: string | undefined;
  readonly derived: readonly Derivable[];
  /** An IPv4 network; undefined: `10.96.0.0/12`. */
  readonly serviceClusterIPRange: string | undefined;
  /** An ARN; undefined: the stack has a table of its own. */
  readonly tableStream: string | undefined;
  /** `managed` or an ARN; undefined: keys of AWS. */
  readonly key: string | undefined;
  /** A file; undefined: Winnow writes no audit events. */
  readonly auditPolicy: string | undefined;
  /** An ARN; undefined: audit events go to the log alone. */
  readonly auditQueue: string | undefined;
  /** In days; undefined: the log groups of the functions hold audit events, for a month. */
  readonly auditLogRetention: number | undefined;
  /** `managed` or an ARN; undefined: keys of AWS. */
  readonly auditLogKey: string | undefined;
  /** A file; undefined: AWS principals alone can log in. */
  readonly authenticationConfig: string | undefined;
  readonly serviceAccountTokens: boolean;
  readonly canary: boolean;
  /** Undefined: any number. */
  readonly watchesPerUser: number | undefined;
  /** Requests a second and at once, such as `50/200`, or `off`. */
  readonly requestsPerUser: string;
  /** Of all users together; undefined: 1,000. */
  readonly requestRate: number | undefined;
  /** Undefined: 2,000. */
  readonly requestBurst: number | undefined;
  /** Ids; undefined: the endpoint is public. */
  readonly vpcEndpoints: readonly string[] | undefined;
  /** Networks, and ids of VPCs; undefined: every source. */
  readonly allowedSources: readonly string[] | undefined;
  /** An ARN; undefined: no web ACL. */
  readonly webAcl: string | undefined;
  /** `off`, `on`, or numbers by function. */
  readonly reservedConcurrency: string;
  /** Undefined: `winnow.config.json`, where there is one. */
  readonly configFile: string | undefined;
  /** What this deployment may lose. */
  readonly confirmChange: readonly GuardedSetting[];
  /** As `readAccountBound` reads it; undefined: `own`. */
  readonly consumers: string | undefined;
  readonly enforceLimits: boolean;
  readonly selectorBytes: number | undefined;
  readonly selectorBytesPerNamespace: number | undefined;
  readonly selectorBytesPerCollection: number | undefined;
  readonly subscriptionsPerNamespace: number | undefined;
  readonly talliesPerNamespace: number | undefined;
  /** A time such as `30d`; undefined: that one. */
  readonly authorNotSeenAfter: string | undefined;
  /** The name of an emulator: see `emulators.ts`. */
  readonly emulator: string | undefined;
  /** The URL of an emulator's STS. */
  readonly stsEndpoint: string | undefined;
}
