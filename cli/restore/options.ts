export interface RestoreCommandOptions {
  readonly table: string;
  readonly lost?: number;
}
