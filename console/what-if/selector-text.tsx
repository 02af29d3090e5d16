/** A selector, which breaks only after commas. */
export function SelectorText({ text }: { readonly text: string }) {
  const parts = text.split(/(?<=,)/);
  return (
    <code title={text}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
        <span key={at}>
          {part}
          <wbr />
        </span>
      ))}
    </code>
  );
}
