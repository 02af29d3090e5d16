/** The drawer of one object: what it is, its YAML, its history, its Events. */
export { readAhead } from './ahead.ts';
export { ObjectDrawer } from './drawer.tsx';
