import { ApiError } from '../status/index.ts';

/** The error of a continue token that belongs to a list of another resource, namespace or selector. */
export class OtherListError extends ApiError {
  constructor(message: string) {
    super(400, 'BadRequest', message);
  }
}
