import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useClickBeside } from './use-click-beside.ts';

export interface MenuItem {
  readonly text: string;
  /** A short explanation beside the text. */
  readonly note?: string;
  readonly act: () => void;
  readonly isDisabled?: boolean;
}

interface MenuProps {
  readonly label: ComponentChildren;
  /** The name for screen readers, where the label does not say enough. */
  readonly name?: string;
  readonly items: readonly MenuItem[];
  readonly class?: string;
}

/** A button that opens a list of actions. The arrow keys move in it, and Escape closes it. */
export function Menu({ label, name, items, class: className = '' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isOpen) root.current?.querySelector<HTMLElement>('[role=menuitem]:not([disabled])')?.focus();
  }, [isOpen]);
  useClickBeside(root, isOpen, () => setOpen(false));
  const move = (by: number) => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([disabled])') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + by + all.length) % all.length]?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'ArrowDown') {
      move(1);
    } else if (event.key === 'ArrowUp') {
      move(-1);
    } else if (event.key === 'Escape') {
      setOpen(false);
      button.current?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`menu ${className}`} ref={root} onKeyDown={pressed}>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div role="menu" class="menu-items">
          {items.map(({ text, note, act, isDisabled }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              disabled={isDisabled}
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                act();
              }}
            >
              <span>{text}</span>
              {note && <span class="meta">{note}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
