/** The window "see as": what another user may read, and what that user sees. */
export { SeeAsDialog } from './see-as-dialog.tsx';
