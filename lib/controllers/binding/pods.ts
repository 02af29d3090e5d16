import type { Collection } from '../../json/index.ts';

export const PODS: Collection = 'core/pods';
