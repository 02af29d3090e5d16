/** The bundler of the functions. */
export { type Bundle, bundleFunctions } from './bundle-functions.ts';
export { hashFiles, root, writeWhole } from './files.ts';
