/** Rules in CEL (`x-kubernetes-validations`): which are accepted, and what objects break. */
export { loadCel } from './cel-library.ts';
export { ruleErrors } from './declaration-errors.ts';
export { evaluateRules } from './evaluate-rules.ts';
export { Rules, schemasWithRules } from './rules.ts';
