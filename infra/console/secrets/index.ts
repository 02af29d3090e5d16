/** The Secrets that a console hides: which requests are refused, and how answers are reduced to metadata. */
export { judgeSecrets, mayContainSecrets } from './judge-secrets.ts';
export { readLabelPatch } from './label-patch.ts';
export { askForMetadata, passMetadata } from './pass-metadata.ts';
