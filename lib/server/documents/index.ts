/** What is served beside objects: discovery, OpenAPI, the version, health. */
export { serveDocuments } from './serve-documents.ts';
