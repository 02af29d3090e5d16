/**
 * The maximum length of a name in bytes. Kubernetes' names have at most 253. The exceptions are names that only have
 * to fit into a path: names of roles, and names of events, which consist of a pod's name and a time. The limit exists
 * because keys in the store are limited.
 */
export const LONGEST_NAME = 280;

/** Whether an object of any type can have this name. */
export function isObjectName(name: string): boolean {
  return name !== '' && !/[/%]/.test(name) && Buffer.byteLength(name) <= LONGEST_NAME;
}
