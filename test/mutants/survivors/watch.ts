import type { Survivors } from './survivors.ts';

/** Of lib/watch. */
export const WATCH: readonly Survivors[] = [];
