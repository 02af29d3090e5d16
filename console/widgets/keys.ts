import { useEffect } from 'preact/hooks';

/**
 * What keys do, by their names: `/`, `j`, `Escape`, `Mod+k` (Ctrl, or Command on a Mac). A function that returns false
 * leaves the key to the browser.
 */
export type Keys = Readonly<Record<string, (() => unknown) | undefined>>;

const IN_TEXT = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** Lets keys act while the part is shown. In fields that take text, only keys with Mod do. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isMod = event.metaKey || event.ctrlKey;
      const target = event.composedPath()[0];
      const isText = target instanceof Element && target.closest(IN_TEXT) !== null;
      if (isText && !isMod) return;
      // The keys of a dialog are its own.
      if (document.querySelector('dialog[open]') !== null && !isMod) return;
      const act = keys[isMod ? `Mod+${event.key.toLowerCase()}` : event.key];
      if (act !== undefined && act() !== false) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
