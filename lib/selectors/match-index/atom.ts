/**
 * One thing that may be true of an object, as an integer: it carries a key, or a pair, or one of several pairs, or
 * a number above or below a bound; it is in a namespace; a field has a value.
 */
export type Atom = number;
