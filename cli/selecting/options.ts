import type { AccessOptions } from '../connection/index.ts';

export interface SelectingOptions extends AccessOptions {
  readonly namespace: string;
  readonly output: 'text' | 'json';
  /** The field path of one of the object's selectors. */
  readonly path?: string;
}

export interface FacetsOptions extends Omit<SelectingOptions, 'path'> {
  readonly allNamespaces?: true;
  readonly joint?: true;
  readonly selector?: string;
  readonly fieldSelector?: string;
}
