import { EncodingError } from './encoding-error.ts';

/** Which kind of object is asked for where the body does not say. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object whose kind the body says and that cannot be read. */
export class KindError extends EncodingError {
  readonly apiVersion: string;
  readonly kind: string;

  constructor({ apiVersion, kind }: ExpectedKind, why: string) {
    super(why);
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}
