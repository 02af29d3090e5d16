/** CEL rules (`x-kubernetes-validations`): their validation and their evaluation for objects. */
export { type KeptRules, ruleErrors } from './declaration-errors.ts';
export { evaluateRules } from './evaluate-rules.ts';
export { type Rules, rulesOf } from './rules.ts';
