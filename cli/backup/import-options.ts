import type { AccessOptions } from '../connection/index.ts';

export interface ImportOptions extends AccessOptions {
  readonly table?: string;
  readonly replace: boolean;
  readonly status: boolean;
  readonly incomplete: boolean;
}
