/** What a change of labels or of a selector does, and the writes of labels that follow. */
export { type ChangeLine, changed, changeOf, EMPTY_LINE } from './label-change.ts';
export { LabelForm } from './label-form.tsx';
export { counted, troubleOf } from './outcomes.ts';
export { type KubeObject, type OwnSelection, ownSelection } from './own-selections.ts';
export { offerUndo, RelabelDialog } from './relabel-dialog.tsx';
export { WhatIf } from './what-if.tsx';
export { whyNoWrites } from './why-no-writes.ts';
export { writeLabels } from './write-labels.ts';
