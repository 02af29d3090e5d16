export interface UpgradeCommandOptions {
  readonly table: string;
  readonly raise: boolean;
}
