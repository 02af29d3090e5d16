/** Who writes these slices and Endpoints, as their labels say it. */
export const MANAGER = 'endpoints.winnow.dev';
