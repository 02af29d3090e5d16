/** What is wrong with one field, and where, as Kubernetes writes it. */
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
export { goStrings, goText } from './go-syntax.ts';
