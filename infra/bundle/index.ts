/** The bundler of the functions and of the console's page. */
export { type Bundle, bundleFunctions } from './bundle-functions.ts';
export { bundlePage, type Page, type PageFile } from './bundle-page.ts';
export { hashFiles, root, writeWhole } from './files.ts';
