import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ShownProps<Item> {
  readonly items: readonly Item[];
  /** Draws the items that are shown. */
  readonly children: (items: readonly Item[]) => ComponentChildren;
  readonly size?: number;
  /** What the items are, such as `nodes`. */
  readonly what: string;
}

/** The first items of a list, and a button that shows more of them. */
export function Shown<Item>({ items, children, size = 50, what }: ShownProps<Item>) {
  const [most, setMost] = useState(size);
  const left = items.length - most;
  return (
    <>
      {children(left > 0 ? items.slice(0, most) : items)}
      {left > 0 && (
        <button type="button" class="link more" onClick={() => setMost(most + size)}>
          Show {Math.min(left, size)} more {what}
          {left > size && ` (${left} are hidden)`}
        </button>
      )}
    </>
  );
}
