/**
 * In bytes. Kubernetes' own names are 253 at most, but those that only have to fit into a path: of roles, of events,
 * which are a pod's name and a time. The store's keys have a limit.
 */
export const LONGEST_NAME = 280;

/** Whether there can be an object of the name, whatever its type. */
export function isObjectName(name: string): boolean {
  return name !== '' && !/[/%]/.test(name) && Buffer.byteLength(name) <= LONGEST_NAME;
}
