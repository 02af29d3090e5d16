import { dns1123SubdomainErrors } from '../../selectors/index.ts';
import { required, tooLong } from '../field-errors/index.ts';
import { type Errors, invalidFor } from './errors.ts';

const LONGEST = 63;

/** Checks the name of a volume driver, ignoring case. */
export function* driverName(path: string, name: string): Errors {
  if (name === '') yield required(path);
  if (name.length > LONGEST) yield tooLong(path, LONGEST);
  yield* invalidFor(path, name, dns1123SubdomainErrors(name.toLowerCase()));
}
