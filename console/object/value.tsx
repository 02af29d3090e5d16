import { useState } from 'preact/hooks';
import { linkOf } from './status.ts';

/** The most characters of a value that is not opened. */
const MOST = 160;

/** A text of an object. An `https:` address is a link, and a long text opens. */
export function Value({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const link = linkOf(text);
  if (link !== undefined) {
    return (
      <a href={link} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  }
  if (text.length <= MOST) return <>{text}</>;
  return (
    <>
      {isOpen ? text : `${text.slice(0, MOST)}…`}{' '}
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : `all ${text.length.toLocaleString('en')} characters`}
      </button>
    </>
  );
}
