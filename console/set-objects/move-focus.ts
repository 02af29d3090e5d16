/** Moves the focus from a button of a list to the next or the previous one. Returns the button that has it now. */
export function moveFocus(event: KeyboardEvent, list: Element | null): HTMLButtonElement | undefined {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const buttons = [...(list?.querySelectorAll('button') ?? [])];
  const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + by];
  if (by === 0 || next === undefined) return undefined;
  event.preventDefault();
  next.focus();
  return next;
}
