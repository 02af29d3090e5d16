/** The sample inventory of `winnow start --sample`: some 400 objects that change slowly by themselves. */
export { changeSample } from './change-sample.ts';
export { loadSample } from './load-sample.ts';
