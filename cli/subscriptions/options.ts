import type { AccessOptions } from '../connection/index.ts';

export interface ListOptions extends AccessOptions {
  readonly author?: string;
  readonly output: 'text' | 'json';
}

export interface RevokeOptions extends AccessOptions {
  readonly author: string;
  readonly delete?: true;
  readonly yes?: true;
}
