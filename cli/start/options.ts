import type { Derivable } from '../../lib/platform/index.ts';

export interface StartOptions {
  readonly port: number;
  readonly kubeconfig: string;
  /** Whether to serve the console. */
  readonly console: boolean;
  /** Undefined means the default port, if it is free. */
  readonly consolePort?: number;
  readonly data?: string;
  readonly derived?: readonly Derivable[];
  readonly serviceClusterIpRange?: string;
  /** Whether writes wake the watches at once. */
  readonly signal: boolean;
  readonly placement: boolean;
  readonly addedAffinity?: string;
  readonly hardPodAffinityWeight?: number;
  readonly webhooks?: string;
  readonly auditPolicy?: string;
  readonly auditQueue?: string;
  readonly canary: boolean;
  readonly sample: boolean;
  readonly watchesPerUser?: number;
  readonly requestsPerUser?: string;
  readonly authorNotSeenAfter?: string;
  readonly historyDays?: number;
  readonly tls: boolean;
  readonly auth: boolean;
  readonly allowedHosts?: readonly string[];
  readonly tokenAuthFile?: string;
  readonly authenticationConfig?: string;
  readonly clientCaFile?: string;
  readonly serviceAccountTokens: boolean;
  readonly serviceAccountAdmission: boolean;
}
