import type { AccessOptions } from '../connection/index.ts';

export interface PlaceOptions extends AccessOptions {
  readonly file: string;
  readonly count?: number;
  readonly namespace?: string;
  readonly output: 'table' | 'json';
}
