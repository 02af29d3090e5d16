/** The parts that the views are made of. */
export { Age, ageOf, now } from './age.tsx';
export { Dialog } from './dialog.tsx';
export { keepFocus } from './keep-focus.ts';
export { type Keys, useKeys } from './keys.ts';
export { Labels } from './labels.tsx';
export { Lazy } from './lazy.tsx';
export { Menu, type MenuItem } from './menu.tsx';
export { Empty, ErrorPanel, Waiting } from './panels.tsx';
export { copyText, saveFile, Toasts, toast } from './toasts.tsx';
export { askAhead, type UseAsked, useAsked } from './use-asked.ts';
export { useClickBeside } from './use-click-beside.ts';
export { useComputedOf } from './use-computed-of.ts';
export { VirtualRows } from './virtual-rows.tsx';
