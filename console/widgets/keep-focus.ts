/** The parts that get the focus when what has it in them goes away, the innermost first. */
const PARTS = '[role=grid], [role=tabpanel], dialog, .drawer, main';

/**
 * Keeps the focus near: where the element that has it is removed or disabled, the part around it gets the focus. The browser
 * would give it to the body, from where Tab begins at the top of the page.
 */
export function keepFocus(): void {
  const { body } = document;
  let last: Element | undefined;
  let around: HTMLElement | null | undefined;
  const isLost = () => last !== undefined && (!last.isConnected || last.matches(':disabled'));
  document.addEventListener('focusin', ({ target }) => {
    last = target as Element;
    around = last.closest<HTMLElement>(PARTS);
  });
  document.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // The user clicked where nothing takes the focus.
      if (document.activeElement === body && !isLost()) last = undefined;
    }),
  );
  const look = () => {
    const { activeElement } = document;
    if (!isLost() || (activeElement !== body && activeElement !== last)) return;
    const [main, drawer] = document.querySelectorAll<HTMLElement>('main, .drawer');
    (around?.isConnected ? around : (drawer ?? main))?.focus({ preventScroll: true });
  };
  const attributeFilter = ['disabled'];
  new MutationObserver(look).observe(body, { childList: true, subtree: true, attributeFilter });
}
