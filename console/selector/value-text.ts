/** The value of a label as users see it. `null` stands for an object without the label. */
export function valueText(value: string | null | undefined): string {
  return value === '' ? '(empty)' : (value ?? '(no label)');
}
