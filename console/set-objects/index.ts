/** What Subscriptions and Tallies have in common: objects that define a set, and the forms that create them. */
export { DraftDialog } from './draft-dialog.tsx';
export { DraftFields, emptySet, isSendable, type SetDraft, specOf } from './draft-fields.tsx';
export { Field, SelectorField } from './fields.tsx';
export { MatchCount, useFacets } from './match-count.tsx';
export { moveFocus } from './move-focus.ts';
export { RemoveDialog } from './remove-dialog.tsx';
export { SetBar } from './set-bar.tsx';
export { Shown } from './shown.tsx';
export { type FollowedSet, useFollowed } from './use-followed.ts';
