/** Errors of single fields, with their paths, in Kubernetes' format. */
export {
  duplicate,
  forbidden,
  invalid,
  invalidPrinted,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  wrongType,
} from './field-errors.ts';
export { child, index, key, named, spoken } from './field-path.ts';
export { goAggregate, goStrings, goText } from './go-syntax.ts';
