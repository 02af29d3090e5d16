import type { AccessOptions } from '../connection/index.ts';

export interface CanReachOptions extends AccessOptions {
  readonly namespace: string;
  readonly protocol: string;
  readonly ipFamily?: string;
  readonly output: 'text' | 'json';
}
