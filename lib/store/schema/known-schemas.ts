/** Which versions of the rows' schema code reads. It writes whichever the schema row says. */
export interface KnownSchemas {
  readonly oldest: number;
  readonly newest: number;
}
