import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Calls a function when the user presses the pointer beside a part that is open. */
export function useClickBeside(
  part: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: () => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function of the same part closes the same
  useEffect(() => {
    if (!isOpen) return undefined;
    const clicked = (event: Event) => {
      if (!part.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', clicked);
    return () => document.removeEventListener('pointerdown', clicked);
  }, [isOpen]);
}
