/** The frame around the views: header, palette, keys, help. */
export { App } from './app.tsx';
