/** The manager of these slices and Endpoints, in their labels. */
export const MANAGER = 'endpoints.winnow.dev';
