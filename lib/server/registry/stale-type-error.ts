import { ContentionError } from '../../store/index.ts';

/** The custom kind has changed since the request was read. Nothing was written, and the request is read again. */
export class StaleTypeError extends ContentionError {
  override name = 'StaleTypeError';
}
