import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  /** `wide` for a form with columns. */
  readonly size?: 'normal' | 'wide';
  readonly children: ComponentChildren;
  /** The buttons. */
  readonly actions?: ComponentChildren;
}

/** A window over the page. Escape and a click beside it close it; the focus returns to where it was. */
export function Dialog({ title, close, size = 'normal', children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Opening moves the focus to the first field, or else to the first button. Effects of the content may move it on.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')?.focus();
    // A dialog that is only removed would not give the focus back.
    return () => dialog.current?.close();
  }, []);
  const clicked = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  const cancelled = (event: Event) => {
    event.preventDefault();
    close();
  };
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      tabIndex={-1}
      aria-labelledby={id}
      onClick={clicked}
      onCancel={cancelled}
    >
      <div class="dialog-content">
        {/* No header and footer: a dialog may stand inside those of the page, and landmarks must not nest. */}
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={close}>
            ✕
          </button>
        </div>
        <div class="dialog-body">{children}</div>
        {actions && <div class="dialog-foot">{actions}</div>}
      </div>
    </dialog>
  );
}
