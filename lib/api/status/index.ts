/** What goes wrong, as Kubernetes says it: Status errors, and the one place that makes one of anything thrown. */
export { labelLimitExceeded, mapError } from './map-error.ts';
export {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  expired,
  failureStatus,
  forbidden,
  invalid,
  methodNotAllowed,
  modified,
  nameNotGenerated,
  noSuchPath,
  notFound,
  successStatus,
  tooLarge,
  unknownPatch,
  unsupportedMediaType,
  versionAhead,
} from './status.ts';
