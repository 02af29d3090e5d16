import type { AccessOptions } from '../connection/index.ts';

export interface ConsoleCommandOptions extends AccessOptions {
  readonly port: number;
  readonly readOnly: boolean;
  readonly secrets: boolean;
  /** Whether to open a browser. */
  readonly open: boolean;
}
