/** Functions that build field paths as k8s.io/apimachinery/pkg/util/validation/field does; `''` is the root. */

/** `spec.names` */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `spec.properties[name]` */
export function key(path: string, name: string): string {
  return `${path}[${name}]`;
}

/** `spec.versions[0]` */
export function index(path: string, at: number): string {
  return `${path}[${at}]`;
}

/** Returns the path for an error message; the root becomes `<nil>`. */
export function named(path: string): string {
  return path === '' ? '<nil>' : path;
}

/** Returns a path as in kube-openapi's messages, without the leading dot: `.spec.color` becomes `spec.color`. */
export function spoken(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path;
}
