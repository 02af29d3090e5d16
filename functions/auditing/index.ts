export { createAuditing } from './create-auditing.ts';
