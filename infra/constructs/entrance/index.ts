/** The REST API and the way to it. */
export { Api } from './api.ts';
export { type EntranceProps, isOpen } from './entrance.ts';
