import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly count: number;
  /** In pixels. */
  readonly rowHeight: number;
  /** The row that must be in view. */
  readonly active?: number | undefined;
  readonly row: (at: number) => ComponentChildren;
  /** What stays at the top, such as titles. */
  readonly head?: ComponentChildren;
  readonly class?: string;
  readonly label: string;
  readonly onPointer?: (isInside: boolean) => void;
}

/** The rows beyond the visible part that are drawn too, so that scrolling shows no gaps. */
const MARGIN = 12;

/** A list of rows of one height, of which only those in view are drawn. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, active, row, head, class: className = '', label, onPointer } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || active === undefined) return;
    const [top, bottom] = [active * rowHeight, (active + 1) * rowHeight];
    const inside = element.clientHeight - rowHeight;
    if (top < element.scrollTop) {
      element.scrollTop = top;
    } else if (bottom > element.scrollTop + inside) {
      element.scrollTop = bottom - inside;
    }
  }, [active, rowHeight]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + MARGIN);
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, at) => row(first + at));
  return (
    <div
      ref={box}
      class={`virtual ${className}`}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      tabIndex={0}
      onPointerEnter={() => onPointer?.(true)}
      onPointerLeave={() => onPointer?.(false)}
    >
      {head}
      <div role="rowgroup" class="virtual-all" style={{ height: `${count * rowHeight}px` }}>
        <div
          role="presentation"
          class="virtual-drawn"
          style={{ transform: `translateY(${first * rowHeight}px)` }}
        >
          {drawn}
        </div>
      </div>
    </div>
  );
}
