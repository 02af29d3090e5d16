import type { AccessOptions } from '../connection/index.ts';

export interface VerifyOptions extends AccessOptions {
  readonly namespace: string;
}
