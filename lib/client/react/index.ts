'use client';

export { type LiveView, type ObjectView, type UseLiveOptions, useLive, useObject } from './use-live.ts';
