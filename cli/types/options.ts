import type { AccessOptions } from '../connection/index.ts';

export type TypesOptions = AccessOptions;
