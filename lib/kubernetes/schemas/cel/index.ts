/** CEL rules (`x-kubernetes-validations`): their validation and their evaluation for objects. */
export { loadCel } from './cel-library.ts';
export { ruleErrors } from './declaration-errors.ts';
export { evaluateRules } from './evaluate-rules.ts';
export { Rules, schemasWithRules } from './rules.ts';
