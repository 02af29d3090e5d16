/** The writes to make. Objects to update or delete keep the metadata that was read. */
export interface Changes<Kind> {
  readonly create: readonly Kind[];
  readonly update: readonly Kind[];
  readonly delete: readonly Kind[];
}
