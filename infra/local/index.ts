export { type LocalWinnow, startLocal } from './start-local.ts';
