import type { AccessOptions } from '../connection/index.ts';

export interface TailOptions extends AccessOptions {
  readonly namespace: string;
  readonly output: 'text' | 'json';
  readonly snapshot?: boolean;
}
