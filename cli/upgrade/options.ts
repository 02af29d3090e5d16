export interface UpgradeCommandOptions {
  readonly table: string;
  readonly raise: boolean;
  /** The deployment's file of `-c webhooks=FILE`; absent if it has none. */
  readonly webhooks?: string;
}
