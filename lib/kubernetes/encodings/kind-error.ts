import { EncodingError } from './encoding-error.ts';

/** The kind of object to expect if the body does not name one. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object that cannot be read, although its kind is known. */
export class KindError extends EncodingError {
  readonly apiVersion: string;
  readonly kind: string;

  constructor({ apiVersion, kind }: ExpectedKind, why: string) {
    super(why);
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}
