import type { AccessOptions } from '../connection/index.ts';

export interface ExportOptions extends AccessOptions {
  readonly plain: boolean;
}
