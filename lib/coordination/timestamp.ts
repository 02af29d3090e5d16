/** Formats a time in ms since the epoch as Kubernetes does: RFC 3339, whole seconds. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
