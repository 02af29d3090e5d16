import type { ApiOptions } from '../http/index.ts';

/** The store and the watches of a request. */
export type Seen = Pick<ApiOptions, 'store' | 'watches'>;
