/**
 * A JSON pointer (RFC 6901) as users of kubectl write field paths: `spec.containers[0].image`. Labels and annotations
 * stand without `metadata`: `labels.app`.
 */
export function fieldPathOf(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const isMap = parts[0] === 'metadata' && ['labels', 'annotations'].includes(parts[1] ?? '');
  return (isMap ? parts.slice(1) : parts)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`))
    .join('');
}
