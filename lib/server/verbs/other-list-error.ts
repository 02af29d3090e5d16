import { ApiError } from '../status/index.ts';

/** A continue token is of a list of another resource, namespace or selector. */
export class OtherListError extends ApiError {
  constructor(message: string) {
    super(400, 'BadRequest', message);
  }
}
