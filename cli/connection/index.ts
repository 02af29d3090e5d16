/** Connections to an endpoint, and errors that tell the user what to do. */

export { anonymousVersion, versionWithLogin } from './check-version.ts';
export { type Access, Connection } from './connection.ts';
export { explainFailure } from './explain-failure.ts';
export { explainInput } from './explain-input.ts';
export { explainPort } from './explain-port.ts';
export { explainStatus } from './explain-status.ts';
export { Fault, UncheckedError } from './fault.ts';
export { type AccessOptions, openAccess } from './open-access.ts';
export type { Reply } from './reply.ts';
export { upstreamOf } from './upstream-of.ts';
