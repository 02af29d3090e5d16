/**
 * A fact that may hold for an object, as an integer. The object has a key, a pair, one of several pairs, or a number
 * above or below a bound; it is in a namespace; or a field has a value.
 */
export type Atom = number;
