import type { AccessOptions } from '../connection/index.ts';

export interface RulesOptions extends AccessOptions {
  readonly try: boolean;
  readonly file?: string;
  readonly selector?: string;
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly output: 'text' | 'json';
}
