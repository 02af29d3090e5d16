import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explained } from '../api/index.ts';

/** A failure in the server's words, with what finds the request in the audit log. */
export function ErrorPanel({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
}) {
  const { message, code, auditId } = explained(error);
  return (
    <div class="panel error" role="alert">
      <p>
        {code !== '' && <strong>{code}: </strong>}
        {message}
      </p>
      {auditId !== '' && (
        <p class="meta">
          Audit id <code>{auditId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** An empty state that says what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="panel empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The time before the page says that it waits, in ms. */
const PATIENCE = 300;

/** Says that an answer is on its way, once that takes a while. */
export function Waiting({ what = 'Loading' }: { readonly what?: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <p class="panel meta" role="status">
      {what} …
    </p>
  ) : null;
}
