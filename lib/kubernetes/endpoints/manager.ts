/** The label value that marks slices and Endpoints as managed by Winnow. */
export const MANAGER = 'endpoints.winnow.dev';
