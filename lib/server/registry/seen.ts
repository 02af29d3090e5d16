import type { ApiOptions } from '../http/index.ts';

/** What a request reaches objects through. */
export type Seen = Pick<ApiOptions, 'store' | 'watches'>;
