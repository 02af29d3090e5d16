import { useMemo } from 'preact/hooks';
import { KEY_OF_LINE } from './yaml-text.ts';

/** The most lines with colors. A longer text is plain. */
const MOST_COLORED = 3_000;

/** A YAML text to read. */
export function YamlView({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useMemo(() => text.split('\n'), [text]);
  return (
    <pre class="yaml" aria-label={label} tabIndex={0} role="region">
      {lines.length > MOST_COLORED
        ? text
        : lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text keep their order
            <Line key={at} text={line} />
          ))}
    </pre>
  );
}

/** A line whose key has another color than its value. */
function Line({ text }: { readonly text: string }) {
  const [all = '', indent = '', key = ''] = KEY_OF_LINE.exec(text) ?? [];
  if (key === '') return <>{`${text}\n`}</>;
  return (
    <>
      {indent}
      <span class="yaml-key">{key}</span>
      {`${text.slice(all.length)}\n`}
    </>
  );
}
