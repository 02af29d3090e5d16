import { ContentionError } from '../../store/index.ts';

/** The custom kind is not any more what it was when the request was read: nothing was written, and it is read again. */
export class StaleTypeError extends ContentionError {
  override name = 'StaleTypeError';
}
