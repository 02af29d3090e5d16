/** How rows store the bodies of objects. */
export { decodeBody, decodeText, encodeBody, encodedBytes, encodeFamiliar } from './body-codec.ts';
