import type { Collection } from '../store/index.ts';

export const PODS: Collection = 'core/pods';
