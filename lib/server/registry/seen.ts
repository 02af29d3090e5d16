import type { ObjectState } from '../../store/index.ts';
import type { ApiOptions } from '../http/index.ts';

/** The store and the watches of a request. */
export type Seen = Pick<ApiOptions, 'store' | 'watches'>;

/** The conversion of a stored state to the form in which clients see it. */
export type Show = (state: ObjectState) => ObjectState;
