/** What has to be written. What is updated or deleted has the metadata that it was read with. */
export interface Changes<Kind> {
  readonly create: readonly Kind[];
  readonly update: readonly Kind[];
  readonly delete: readonly Kind[];
}
