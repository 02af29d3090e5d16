/** Paths as k8s.io/apimachinery/pkg/util/validation/field writes them; `''` is the root. */

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

/** How an error names the root. */
export function named(path: string): string {
  return path === '' ? '<nil>' : path;
}

/** A path as kube-openapi's messages write it, without the dot before the first name: `.spec.color` is `spec.color`. */
export function spoken(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path;
}
