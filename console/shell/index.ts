/** The frame around the views: header, palette, keys, help. */
export { App } from './app.tsx';
export { applyTheme, theme } from './theme.ts';
