/** Kubernetes labels and selectors. Pure: no input or output, nothing imported from outside this folder. */
export { type FieldError, type FieldErrorType, formatFieldError } from './field-error.ts';
export {
  everyField,
  type FieldRequirement,
  type FieldSelector,
  parseFieldSelector,
} from './field-selector.ts';
export { fromLabelSelector, fromLabels } from './label-selector.ts';
export { labelKeyErrors, labelValueErrors, validateLabels } from './label-syntax.ts';
export type { Labels } from './labels.ts';
export { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from './names.ts';
export { parseSelector } from './parse-selector.ts';
export type { Operator, Requirement } from './requirement.ts';
export { everything, nothing, type Selector } from './selector.ts';
export { SelectorError } from './selector-error.ts';
