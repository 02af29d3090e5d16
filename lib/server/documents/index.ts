/** The documents that the server offers besides objects: discovery, OpenAPI, the version, health. */
export { serveDocuments } from './serve-documents.ts';
