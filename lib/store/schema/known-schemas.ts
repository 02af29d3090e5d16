/** The range of schema versions that this code supports. It writes in the version that the schema row names. */
export interface KnownSchemas {
  readonly oldest: number;
  readonly newest: number;
}
